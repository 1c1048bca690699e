//! Pinned bits, and what the values ought to be.

use super::*;

type Function = fn(f64) -> f64;

/// Each function with the bits at 0.7 and a hash of the bits at many points. They hold for every processor and system.
const PINNED: &[(&str, Function, u64, u64)] = &[
    ("exp", exp, 0x4000_1c2a_6126_8987, 0x6323_7276_406c_5508),
    ("exp_m1", exp_m1, 0x3ff0_3854_c24d_130d, 0x824b_946f_3e25_0fc3),
    ("ln", ln, 0xbfd6_d3c3_24e1_3f50, 0xda1e_f71e_dfeb_9f81),
    ("ln_1p", ln_1p, 0x3fe0_fae8_1914_a991, 0xcc9e_5169_4957_22ec),
    ("log2", log2, 0xbfe0_7762_2896_7d13, 0xfb58_527c_f283_6e7b),
    ("log10", log10, 0xbfc3_d3d3_d21c_cf04, 0x1924_6434_90b3_8e1c),
    ("tanh", tanh, 0x3fe3_56fb_17af_2e90, 0x659c_3278_05fc_00a4),
    ("sin", sin, 0x3fe4_9d6e_6946_19b8, 0x81f0_ba04_327e_f25b),
    ("cos", cos, 0x3fe8_7996_529f_9d93, 0x550d_8a42_8219_4693),
    ("hypot", |x| hypot(x, 3.0), 0x4008_a509_69bb_4d64, 0xc079_c8d2_4944_b96f),
    ("powf", |x| powf(x, 1.7), 0x3fe1_736b_10d5_852e, 0x5f8c_c747_aad4_b807),
    ("powf of 10", |x| powf(10.0, x), 0x4014_0c28_4300_12e6, 0x0a6b_3504_b1f8_af3f),
    ("powi", |x| powi(x, 7), 0x3fb5_152b_e12f_5a5d, 0xd34d_e091_f6a9_4675),
    ("powi below 0", |x| powi(x, -5), 0x4017_ccb3_107e_f8ce, 0x402c_026b_549c_84b4),
];

/// Points of all sizes that matter, evenly spread over the logarithm and over the interval.
fn points() -> impl Iterator<Item = f64> {
    (0..4000u64).flat_map(|i| {
        let size = f64::from_bits(0x3f00_0000_0000_0000 + i * 0x0000_4189_374b_c6a7);
        let even = i as f64 * (1.0 / 128.0) + 1.0 / 3.0;
        [size, even, -even]
    })
}

#[test]
fn bits_are_pinned() {
    for (name, function, bits, hash) in PINNED {
        let found = points().map(function).filter(|value| !value.is_nan());
        let found = found.fold(0xcbf2_9ce4_8422_2325, |hash, value| {
            (hash ^ value.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
        });
        let at = function(0.7).to_bits();
        assert_eq!((at, found), (*bits, *hash), "{name}: 0x{at:016x}, 0x{found:016x}");
    }
}

#[test]
fn values_are_right() {
    let close = |found: f64, known: f64| assert!((found / known - 1.0).abs() < 4e-16, "{found} {known}");
    close(exp(1.0), std::f64::consts::E);
    close(exp_m1(1e-10), 1.000_000_000_05e-10);
    close(ln(2.0), std::f64::consts::LN_2);
    close(ln_1p(1e-10), 9.999_999_999_5e-11);
    close(tanh(0.5), 0.462_117_157_260_009_76);
    close(sin(1.0), 0.841_470_984_807_896_5);
    close(cos(1.0), 0.540_302_305_868_139_7);
    close(powf(2.0, 0.5), std::f64::consts::SQRT_2);
    assert_eq!(
        (hypot(3.0, 4.0), powf(10.0, 3.0), powi(-3.0, 3), powi(2.0, -2), powi(0.3, 0)),
        (5.0, 1000.0, -27.0, 0.25, 1.0)
    );
}

#[test]
fn logarithms_of_powers_are_whole() {
    // Axes and decades take the floor of them.
    for power in -300..=300 {
        let ten: f64 = format!("1e{power}").parse().unwrap();
        assert_eq!((log10(ten), log2(powi(2.0, power))), (f64::from(power), f64::from(power)), "{power}");
    }
}
