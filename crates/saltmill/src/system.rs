// SPDX-License-Identifier: Apache-2.0
//! What depends on the operating system: Linux has all of it, other systems the portable way.

use std::{
    fs::{File, Permissions},
    io,
    path::Path,
};

use tempfile::Builder;

/// Permissions of a new file, before the process's mask.
const NEW: u32 = 0o666;

#[cfg(unix)]
mod unix {
    use std::{
        fs::Metadata,
        os::{
            fd::AsFd,
            unix::fs::{MetadataExt, PermissionsExt},
        },
    };

    use super::{Builder, File, NEW, Permissions, io};

    /// Bytes that a pipe holds: more than an unprivileged user can have of a few at once is
    /// refused, and then it stays as it is.
    #[cfg(target_os = "linux")]
    const PIPE_BYTES: usize = 1 << 20;

    /// Lets a pipe hold more, so that its ends don't wait for each other at every 64 KiB.
    #[cfg(target_os = "linux")]
    pub fn widen(end: impl AsFd) {
        let _ = rustix::pipe::fcntl_setpipe_size(end, PIPE_BYTES);
    }

    #[cfg(not(target_os = "linux"))]
    pub fn widen(_end: impl AsFd) {}

    /// A stream without the buffer of the standard library.
    pub fn unbuffered(stream: impl AsFd) -> io::Result<File> {
        widen(&stream);
        stream.as_fd().try_clone_to_owned().map(File::from)
    }

    /// A file's number in its file system.
    pub fn inode(metadata: &Metadata) -> u64 {
        metadata.ino()
    }

    /// Files that the process may have open.
    pub fn open_files() -> u64 {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
    }

    /// Permissions of temporary files with a name.
    pub fn set_permissions(builder: &mut Builder<'_, '_>, wanted: Option<&Permissions>) {
        let mode = wanted.map_or(NEW, PermissionsExt::mode);
        builder.permissions(Permissions::from_mode(mode));
    }
}

#[cfg(unix)]
pub(crate) use unix::{inode, open_files, set_permissions, unbuffered, widen};

#[cfg(not(unix))]
mod other {
    use super::{Builder, Permissions, io};

    pub fn widen<S>(_end: S) {}

    pub fn unbuffered<S>(stream: S) -> io::Result<S> {
        Ok(stream)
    }

    pub fn inode(_metadata: &std::fs::Metadata) -> u64 {
        0
    }

    pub fn open_files() -> u64 {
        512
    }

    pub fn set_permissions(_builder: &mut Builder<'_, '_>, _wanted: Option<&Permissions>) {}
}

#[cfg(not(unix))]
pub(crate) use other::{inode, open_files, set_permissions, unbuffered, widen};

/// Reads that need not wait.
#[cfg(target_os = "linux")]
mod ready {
    use std::{
        os::fd::{AsFd, OwnedFd},
        time::Duration,
    };

    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        io::Errno,
    };

    /// Tells when a file or a pipe can be read at once.
    pub struct Ready(OwnedFd);

    impl Ready {
        /// The same file or pipe.
        pub fn of(end: impl AsFd) -> Option<Self> {
            end.as_fd().try_clone_to_owned().ok().map(Self)
        }

        /// Waits until it can, but not longer than that, or than to a signal. At its end it can,
        /// and where it fails: the read says why.
        pub fn wait(&self, most: Duration) -> bool {
            let most = Timespec::try_from(most).ok();
            let mut ends = [PollFd::new(&self.0, PollFlags::IN)];
            match poll(&mut ends, most.as_ref()) {
                Ok(ready) => ready > 0,
                Err(error) => error != Errno::INTR,
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod ready {
    /// Nothing tells.
    pub enum Ready {}

    impl Ready {
        pub fn of<S>(_end: S) -> Option<Self> {
            None
        }

        pub fn wait(&self, _most: std::time::Duration) -> bool {
            match *self {}
        }
    }
}

pub(crate) use ready::Ready;

/// Files without a name.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::{
        fs,
        os::{
            fd::{AsFd, AsRawFd},
            unix::fs::PermissionsExt,
        },
        path::PathBuf,
        sync::OnceLock,
    };

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};

    use super::{File, NEW, Path, Permissions, io};

    /// Whether /proc is there: without it a file without a name could never get one.
    static CAN_BE_NAMED: OnceLock<bool> = OnceLock::new();

    /// A file in this folder that has no name.
    pub fn unnamed(folder: &Path, permissions: Option<&Permissions>) -> io::Result<File> {
        let mode = permissions.map_or(NEW, PermissionsExt::mode) & 0o7777;
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(open(folder, flags, Mode::from_raw_mode(mode))?);
        let has_handle = || fs::symlink_metadata(handle(&file)).is_ok();
        if *CAN_BE_NAMED.get_or_init(has_handle) {
            Ok(file)
        } else {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    fn handle(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_fd().as_raw_fd()).into()
    }

    /// Gives it a new name; what has it already is not touched.
    pub fn link(file: &File, path: &Path) -> io::Result<()> {
        Ok(linkat(CWD, handle(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod unnamed {
    use super::{File, Path, Permissions, io};

    pub fn unnamed(_folder: &Path, _permissions: Option<&Permissions>) -> io::Result<File> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn link(_file: &File, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub(crate) use unnamed::{link, unnamed};
