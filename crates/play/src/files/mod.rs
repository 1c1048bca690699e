//! Files: written whole or not at all, tables with a checksum, numbers of few bytes.

mod checksum;
pub mod new_file;
pub mod table_file;
pub mod varint;

pub use checksum::{Checksum, checksum};
pub use table_file::TableError;
