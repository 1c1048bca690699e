//! A polynomial of the features: a weight for each of them and for each product of two of them, or of up to three, squares and cubes
//! included. It has no constant, as the linear function has none.

use super::Model;

/// The products, in the order of the parameters: single features, then products of two, then of three, the numbers of their factors rising.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Products {
    inputs: usize,
    degree: usize,
}

impl Products {
    /// The most factors that a product may have.
    pub const MOST: usize = 3;

    /// All products of so many features with up to `degree` factors.
    ///
    /// # Panics
    /// If the degree is 0 or larger than three.
    pub fn new(inputs: usize, degree: usize) -> Self {
        assert!((1..=Self::MOST).contains(&degree), "products of 1 to 3 factors");
        Self { inputs, degree }
    }

    /// The number of features.
    pub fn inputs(self) -> usize {
        self.inputs
    }

    /// The most factors of a product.
    pub fn degree(self) -> usize {
        self.degree
    }

    /// How many there are.
    pub fn count(self) -> usize {
        // The number of ways to choose k of n with repetition.
        let of = |k: usize| (0..k).fold(1, |ways, i| ways * (self.inputs + i) / (i + 1));
        (1..=self.degree).map(of).sum()
    }

    /// Calls `see` with the number of every product whose factors are all among the features that are not 0, and its value. With phases
    /// those are few.
    fn each_shown(self, features: &[f64], mut see: impl FnMut(usize, f64)) {
        let n = self.inputs;
        let shown: Vec<usize> = (0..n).filter(|&i| features[i] != 0.0).collect();
        // Products of two before those that begin with i; of three likewise.
        let pairs = |n: usize, i: usize| i * (2 * n - i + 1) / 2;
        let triples = |i: usize| {
            let with = |m: usize| m * (m + 1) * (m + 2) / 6;
            with(n) - with(n - i)
        };
        for (at, &i) in shown.iter().enumerate() {
            see(i, features[i]);
            if self.degree == 1 {
                continue;
            }
            for (from, &j) in shown.iter().enumerate().skip(at) {
                let two = features[i] * features[j];
                see(n + pairs(n, i) + (j - i), two);
                if self.degree == 2 {
                    continue;
                }
                for &k in &shown[from..] {
                    let number = n + pairs(n, n) + triples(i) + pairs(n - i, j - i) + (k - j);
                    see(number, two * features[k]);
                }
            }
        }
    }

    /// The value of every product.
    pub fn values(self, features: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; self.count()];
        self.each_shown(features, |number, value| values[number] = value);
        values
    }

    /// The name of every product: `a`, `a*b`, `a*a*b`.
    pub fn names(self, features: &[String]) -> Vec<String> {
        let mut names: Vec<String> = Vec::with_capacity(self.count());
        let mut last: Vec<(usize, String)> = features.iter().cloned().enumerate().collect();
        for degree in 1..=self.degree {
            if degree > 1 {
                let longer = |(i, name): (usize, String)| {
                    (i..self.inputs).map(move |j| (j, format!("{name}*{}", features[j]))).collect::<Vec<_>>()
                };
                last = last.into_iter().flat_map(longer).collect();
            }
            names.extend(last.iter().map(|(_, name)| name.clone()));
        }
        names
    }
}

/// The model. Parameters: a weight for each product.
#[derive(Debug, Clone, PartialEq)]
pub struct Polynomial {
    products: Products,
    weights: Vec<f64>,
}

impl Polynomial {
    /// A weight for each product.
    ///
    /// # Panics
    /// If there are more or fewer of them.
    pub fn new(products: Products, weights: Vec<f64>) -> Self {
        assert_eq!(weights.len(), products.count(), "a weight for each product");
        Self { products, weights }
    }
}

impl Model for Polynomial {
    fn inputs(&self) -> usize {
        self.products.inputs
    }

    fn parameters(&self) -> &[f64] {
        &self.weights
    }

    fn parameters_mut(&mut self) -> &mut [f64] {
        &mut self.weights
    }

    fn value(&self, features: &[f64]) -> f64 {
        assert_eq!(features.len(), self.products.inputs, "one feature for each input");
        let mut sum = 0.0;
        self.products.each_shown(features, |number, value| sum += self.weights[number] * value);
        sum
    }

    fn gradient(&self, features: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        self.products.each_shown(features, |number, value| gradient[number] = value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_stand_where_their_names_say() {
        let features = [2.0, 3.0, 5.0, 7.0, 11.0];
        let names: Vec<String> = features.iter().map(f64::to_string).collect();
        for (inputs, degree, count) in [(5, 1, 5), (5, 2, 20), (5, 3, 55), (1, 3, 3), (2, 3, 9)] {
            let products = Products::new(inputs, degree);
            assert_eq!(products.count(), count);
            let named = products.names(&names[..inputs]);
            let values = products.values(&features[..inputs]);
            let product =
                |name: &String| name.split('*').map(|factor| factor.parse::<f64>().unwrap()).product();
            assert_eq!(values, named.iter().map(product).collect::<Vec<f64>>());
        }
        // What is 0 is left out and stays 0.
        let some = Products::new(3, 2).values(&[2.0, 0.0, 5.0]);
        assert_eq!(some, [2.0, 0.0, 5.0, 4.0, 0.0, 10.0, 0.0, 0.0, 25.0]);
    }
}
