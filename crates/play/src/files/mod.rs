//! Files: read by one door, written whole or not at all, tables with a checksum, numbers of few bytes.

pub mod cache;
mod checksum;
pub mod new_file;
mod open;
pub mod table_file;
pub mod varint;

pub use checksum::{Checksum, checksum};
pub use open::{MOST_TEXT, is_wrong_path, open, open_as, open_own, read, read_own_text, read_text};
pub use table_file::TableError;
