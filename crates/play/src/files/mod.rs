//! Files: written whole or not at all, tables with a checksum, numbers of few bytes.

pub mod new_file;
pub mod table_file;
pub mod varint;

pub use table_file::TableError;
