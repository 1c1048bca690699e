//! What `measure` promises, through its doors.

mod arena;
mod external;
mod score;
mod signature;
