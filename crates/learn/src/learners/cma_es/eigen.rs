//! The eigenvectors of a symmetric matrix: Householder reflections make it tridiagonal, implicit QR steps with Wilkinson's shift make that
//! diagonal (Golub & Van Loan, Matrix Computations, sections 8.3.1 and 8.3.5). Plain loops over rows, since a library chooses its
//! products by the processor that it finds, and with them the last bits of what is learned.

/// Takes a symmetric matrix, row by row, and returns its eigenvalues, in no order, and the eigenvector of each as a row.
pub fn eigen(matrix: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut diagonal, mut beside, mut vectors) = tridiagonal(matrix, n);
    let mut last = n.saturating_sub(1);
    while last > 0 {
        let negligible = |k: usize| {
            let size = diagonal[k].abs() + diagonal[k + 1].abs();
            // What is no number is negligible too: it must not keep us here.
            beside[k].abs().is_nan() || beside[k].abs() <= f64::EPSILON * size
        };
        if negligible(last - 1) {
            last -= 1;
            continue;
        }
        let first = (0..last).rev().find(|&k| negligible(k)).map_or(0, |k| k + 1);
        step(&mut diagonal, &mut beside, first, last, |k, c, s| rotate(&mut vectors, n, k, c, s));
    }
    (diagonal, vectors)
}

/// The diagonal of Q' A Q, what is beside it, and Q', row by row.
fn tridiagonal(mut matrix: Vec<f64>, n: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut beside = vec![0.0; n.saturating_sub(1)];
    // Of each reflection I - factor v v', where v begins behind the diagonal; it stays in the row that it has cleared.
    let mut factors = vec![0.0; n];
    let mut product = vec![0.0; n];
    for k in 0..n.saturating_sub(1) {
        let (above, below) = matrix.split_at_mut((k + 1) * n);
        let v = &mut above[k * n + k + 1..];
        beside[k] = v[0];
        let rest = dot(&v[1..], &v[1..]);
        if rest == 0.0 {
            continue;
        }
        let length = (v[0] * v[0] + rest).sqrt();
        beside[k] = if v[0] > 0.0 { -length } else { length };
        v[0] -= beside[k];
        let factor = 2.0 / (v[0] * v[0] + rest);
        factors[k] = factor;

        // H A H = A - v w' - w v' with p = factor A v and w = p - factor/2 (p'v) v.
        let w = &mut product[k + 1..];
        for (w, row) in w.iter_mut().zip(below.chunks_exact(n)) {
            *w = factor * dot(&row[k + 1..], v);
        }
        let along = factor / 2.0 * dot(w, v);
        w.iter_mut().zip(&*v).for_each(|(w, v)| *w -= along * v);
        for (i, row) in below.chunks_exact_mut(n).enumerate() {
            for ((entry, v_j), w_j) in row[k + 1..].iter_mut().zip(&*v).zip(&*w) {
                *entry -= v[i] * w_j + w[i] * v_j;
            }
        }
    }
    let diagonal = matrix.iter().copied().step_by(n + 1).collect();

    // Q' = H_last ... H_first, multiplied out from the last on: the earlier rows are still those of the identity.
    let mut vectors = vec![0.0; n * n];
    vectors.iter_mut().step_by(n + 1).for_each(|entry| *entry = 1.0);
    for k in (0..n).rev().filter(|&k| factors[k] != 0.0) {
        let v = &matrix[k * n + k + 1..(k + 1) * n];
        for row in vectors.chunks_exact_mut(n).skip(k + 1) {
            let along = factors[k] * dot(&row[k + 1..], v);
            row[k + 1..].iter_mut().zip(v).for_each(|(entry, v)| *entry -= along * v);
        }
    }
    (diagonal, beside, vectors)
}

/// One QR step from row `first` to row `last`; `turned` hears of each rotation of a row and the next.
fn step(
    diagonal: &mut [f64],
    beside: &mut [f64],
    first: usize,
    last: usize,
    mut turned: impl FnMut(usize, f64, f64),
) {
    // The eigenvalue of the last two rows that is closer to the last entry.
    let (half, corner) = ((diagonal[last - 1] - diagonal[last]) / 2.0, beside[last - 1]);
    let root = (half * half + corner * corner).sqrt();
    let shift = diagonal[last] - corner * corner / (half + if half < 0.0 { -root } else { root });

    let (mut x, mut bulge) = (diagonal[first] - shift, beside[first]);
    for k in first..last {
        let length = (x * x + bulge * bulge).sqrt();
        let (c, s) = if length > 0.0 { (x / length, bulge / length) } else { (1.0, 0.0) };
        if k > first {
            beside[k - 1] = length;
        }
        let (a, b, d) = (diagonal[k], beside[k], diagonal[k + 1]);
        let moved = s * (s * (d - a) + 2.0 * c * b);
        diagonal[k] = a + moved;
        diagonal[k + 1] = d - moved;
        beside[k] = (c * c - s * s) * b + c * s * (d - a);
        if k + 1 < last {
            (x, bulge) = (beside[k], s * beside[k + 1]);
            beside[k + 1] *= c;
        }
        turned(k, c, s);
    }
}

/// Turns row `k` and the next into each other.
fn rotate(rows: &mut [f64], n: usize, k: usize, c: f64, s: f64) {
    let (one, other) = rows[k * n..(k + 2) * n].split_at_mut(n);
    for (a, b) in one.iter_mut().zip(other) {
        (*a, *b) = (c * *a + s * *b, c * *b - s * *a);
    }
}

/// In four sums, which a processor can add side by side: their order is the same on all of them.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours, rest) = a.as_chunks::<4>();
    let (other_fours, other_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in fours.iter().zip(other_fours) {
        (0..4).for_each(|i| sums[i] += a[i] * b[i]);
    }
    let rest: f64 = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A = V' D V, V' V = 1.
    fn check(matrix: &[f64], n: usize) -> Vec<f64> {
        let (mut values, vectors) = eigen(matrix.to_vec(), n);
        let size = matrix.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        for i in 0..n {
            for j in 0..n {
                let sum = |of: &dyn Fn(usize) -> f64| (0..n).map(of).sum::<f64>();
                let made = sum(&|k| values[k] * vectors[k * n + i] * vectors[k * n + j]);
                assert!((made - matrix[i * n + j]).abs() <= 1e-14 * n as f64 * size, "{n}: {i} {j}");
                let product = sum(&|k| vectors[i * n + k] * vectors[j * n + k]);
                assert!((product - f64::from(i == j)).abs() <= 1e-14 * n as f64, "{n}: {i} {j} {product}");
            }
        }
        values.sort_by(f64::total_cmp);
        values
    }

    #[test]
    fn eigenvectors_make_up_the_matrix() {
        let mut random = Random::seeded(1);
        for n in 1..40 {
            let factors: Vec<f64> = (0..n * n).map(|_| random.normal()).collect();
            // Sizes far apart, as CMA-ES makes them.
            let scales: Vec<f64> = (0..n).map(|k| math::powf(1e-4, k as f64 / n as f64)).collect();
            let entry = |i: usize, j: usize| {
                let sum = (0..n).map(|k| factors[i * n + k] * factors[j * n + k]).sum::<f64>();
                sum * scales[i] * scales[j]
            };
            let matrix: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
            assert!(check(&matrix, n)[0] > -1e-14);
        }
    }

    #[test]
    fn eigenvalues_are_those_that_are_known() {
        assert_eq!(check(&[2.0, 0.0, 0.0, -1.0], 2), [-1.0, 2.0]);
        assert_eq!(check(&[0.0; 9], 3), [0.0; 3]);
        // 2 - 2 cos(pi k / 6), k = 1 ... 5.
        let chain = |i: usize, j: usize| [2.0, -1.0, 0.0, 0.0, 0.0][i.abs_diff(j)];
        let found = check(&(0..25).map(|at| chain(at / 5, at % 5)).collect::<Vec<_>>(), 5);
        for (value, known) in found.iter().zip([2.0 - 3f64.sqrt(), 1.0, 2.0, 3.0, 2.0 + 3f64.sqrt()]) {
            assert!((value - known).abs() < 1e-14, "{found:?}");
        }
        // All alike but one: n - 1 eigenvalues of 1 and one of 1 + n.
        let alike: Vec<f64> = (0..64).map(|at| 1.0 + f64::from(at / 8 == at % 8)).collect();
        let found = check(&alike, 8);
        assert!(found[..7].iter().all(|value| (value - 1.0).abs() < 1e-14) && (found[7] - 9.0).abs() < 1e-13);
    }

    #[test]
    fn what_is_no_number_ends_too() {
        assert!(eigen(vec![f64::NAN; 16], 4).0.iter().any(|value| value.is_nan()));
    }
}
