//! CMA-ES as a whole: test functions, bounds, noise, restarts, resume.
