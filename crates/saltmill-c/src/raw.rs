// SPDX-License-Identifier: Apache-2.0
//! What C hands over, as safe Rust: the only file with unsafe code (elsewhere, `unsafe` only marks
//! names that C calls; a test looks).
//!
//! In the header each type here is the pointer that it is (cbindgen.toml). Values come from C
//! alone: fields are private, and no function makes one. So what the header demands of a pointer,
//! at its top, holds of each of them.
#![allow(unsafe_code)]

use std::{
    ffi::{CStr, CString, c_char, c_void},
    mem::MaybeUninit,
    ptr, slice,
};

use zeroize::Zeroize;

use crate::error::Error;

/// A text that ends with a zero byte, or none.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    /// The text, if there is one.
    pub fn optional(&self) -> Result<Option<&str>, Error> {
        if self.0.is_null() {
            return Ok(None);
        }
        // SAFETY: the header demands a text that ends with a zero byte and stays as it is during
        // the call; what is borrowed from `self`, an argument of that call, lives no longer.
        let text = unsafe { CStr::from_ptr(self.0) };
        let text = text.to_str();
        text.map(Some).map_err(|_| Error::argument("a text is not UTF-8"))
    }

    /// The text.
    pub fn get(&self) -> Result<&str, Error> {
        self.optional()?.ok_or_else(null)
    }
}

/// Bytes to be read.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Bytes(*const u8);

impl Bytes {
    /// So many of them.
    pub fn of(&self, len: usize) -> Result<&[u8], Error> {
        if len == 0 {
            return Ok(&[]);
        }
        check(self.0.is_null(), len)?;
        // SAFETY: not null; the header demands `len` bytes that can be read and stay as they are
        // during the call, which the borrow does not outlive; no more than `isize::MAX`.
        Ok(unsafe { slice::from_raw_parts(self.0, len) })
    }
}

/// Bytes to be written, or to be changed where they are.
#[repr(transparent)]
pub struct Room(*mut u8);

impl Room {
    /// So many bytes that C has written, to be changed.
    pub fn filled(&mut self, len: usize) -> Result<&mut [u8], Error> {
        if len == 0 {
            return Ok(&mut []);
        }
        check(self.0.is_null(), len)?;
        // SAFETY: not null; the header demands `len` bytes that were written before, that nobody
        // else uses during the call, which the borrow does not outlive; at most `isize::MAX`.
        Ok(unsafe { slice::from_raw_parts_mut(self.0, len) })
    }

    /// Room for so many bytes, which are 0 now.
    pub fn zeroed(&mut self, len: usize) -> Result<&mut [u8], Error> {
        if len > 0 {
            check(self.0.is_null(), len)?;
            // SAFETY: not null; the header demands room for `len` bytes.
            unsafe { ptr::write_bytes(self.0, 0, len) };
        }
        self.filled(len)
    }

    /// Whether there is room for a result of up to `most` bytes: looked at before anything is done
    /// that can't be done again.
    pub fn check(
        &self,
        size: usize,
        most: usize,
        len: &mut Option<&mut MaybeUninit<usize>>,
    ) -> Result<(), Error> {
        let len = needed(len.as_mut())?;
        if size < most {
            len.write(most);
            return Err(Error::room(most));
        }
        check(self.0.is_null() && most > 0, most)
    }

    /// Puts bytes into room for `size`, and says how many they are; if they don't fit, that too,
    /// and an error.
    pub fn put(
        &mut self,
        size: usize,
        bytes: &[u8],
        len: Option<&mut MaybeUninit<usize>>,
    ) -> Result<(), Error> {
        needed(len)?.write(bytes.len());
        if bytes.len() > size {
            return Err(Error::room(bytes.len()));
        }
        self.zeroed(bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }
}

/// What C gets back in its functions: it says itself which threads may call them.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Context(*mut c_void);

// SAFETY: nothing here looks behind it. The header says that functions are called on other threads,
// and demands that they can take it there.
unsafe impl Send for Context {}

/// A text that C has to free.
#[repr(transparent)]
pub struct OwnedText(*mut c_char);

impl OwnedText {
    /// No text.
    pub const NONE: Self = Self(ptr::null_mut());

    /// Takes it over from Rust. A text with a zero byte is none of ours.
    pub fn new(text: String) -> Result<Self, Error> {
        let text = CString::new(text);
        let text = text.map_err(|_| Error::argument("a text has a zero byte"))?;
        Ok(Self(text.into_raw()))
    }

    /// Clears and frees it.
    pub fn free(self) {
        if !self.0.is_null() {
            // SAFETY: the header demands what `new` gave out, once.
            unsafe { CString::from_raw(self.0) }.into_bytes_with_nul().zeroize();
        }
    }
}

fn check(is_null: bool, len: usize) -> Result<(), Error> {
    if is_null {
        return Err(null());
    }
    isize::try_from(len).map(drop).map_err(|_| Error::argument("a length is too large"))
}

/// A pointer is missing.
pub fn null() -> Error {
    Error::argument("a pointer is null")
}

/// A pointer that must not be null.
pub fn needed<T>(pointer: Option<T>) -> Result<T, Error> {
    pointer.ok_or_else(null)
}

/// Where C wants an object: none yet.
pub fn place<T>(
    out: Option<&mut MaybeUninit<Option<Box<T>>>>,
) -> Result<&mut MaybeUninit<Option<Box<T>>>, Error> {
    let out = needed(out)?;
    out.write(None);
    Ok(out)
}

/// Makes an object where C wants it.
pub fn make<T>(
    out: Option<&mut MaybeUninit<Option<Box<T>>>>,
    make: impl FnOnce() -> Result<T, Error>,
) -> Result<(), Error> {
    let out = place(out)?;
    out.write(Some(Box::new(make()?)));
    Ok(())
}
