//! Which file systems are served by another machine, where locks promise less.
//!
//! flock(2) over NFS is a lock on the server since Linux 2.6.12, over SMB since 5.5, and with other
//! file systems or mount options it may be known to this machine only. What holds cannot be asked, so
//! the user is warned. Linux only: elsewhere no file system is recognised, and none is warned of.

use std::fs::File;
use std::io;

/// A file system that another machine serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkFileSystem {
    /// Its name, as `mount` says it.
    pub name: String,
    /// Whether even asking for a lock may never return.
    pub may_hang: bool,
}

/// Names by the magic number of statfs(2), as in `linux/magic.h` and the sources of the file systems.
const BY_MAGIC: &[(u64, &str)] = &[
    (0x0102_1997, "9p"),
    (0x0bd0_0bd0, "lustre"),
    (0x1983_0326, "beegfs"),
    (0x4750_4653, "gpfs"),
    (0x517b, "smb"),
    (0x5346_414f, "afs"),
    (0x564c, "ncp"),
    (0x6969, "nfs"),
    (0x6b41_4653, "afs"),
    (0x7375_7245, "coda"),
    (0x786f_4256, "vboxsf"),
    (0xbacb_acbc, "vmhgfs"),
    (0xfe53_4d42, "smb2"),
    (0xff53_4d42, "cifs"),
    (0x00c3_6400, "ceph"),
];

/// File systems in user space share one number: their names are in the table of mounts.
const FUSE: u64 = 0x6573_5546;

const NETWORK_FUSE: &[&str] = &[
    "fuse.ceph-fuse",
    "fuse.curlftpfs",
    "fuse.davfs",
    "fuse.gcsfuse",
    "fuse.glusterfs",
    "fuse.goofys",
    "fuse.gvfsd-fuse",
    "fuse.juicefs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "fuse.vmhgfs-fuse",
];

/// The network file system that an open file is on, if it is on one.
#[cfg(target_os = "linux")]
pub(super) fn network_of(file: &File) -> io::Result<Option<NetworkFileSystem>> {
    let magic = rustix::fs::fstatfs(file)?.f_type.cast_unsigned() & u64::from(u32::MAX);
    if magic != FUSE {
        return Ok(by_magic(magic));
    }
    let device = rustix::fs::fstat(file)?.st_dev;
    let device = (rustix::fs::major(device), rustix::fs::minor(device));
    // Without a table of mounts, no warning: most file systems in user space are local.
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    Ok(by_mount(&mounts, device))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn network_of(_: &File) -> io::Result<Option<NetworkFileSystem>> {
    Ok(None)
}

fn by_magic(magic: u64) -> Option<NetworkFileSystem> {
    let (_, name) = BY_MAGIC.iter().find(|(known, _)| *known == magic)?;
    Some(named(name))
}

/// The type of the mount with this device, if it is one of those in user space that reach out.
/// A line is `36 35 0:52 / /mnt rw,… shared:1 - fuse.sshfs host:/ rw,…`.
fn by_mount(mounts: &str, (major, minor): (u32, u32)) -> Option<NetworkFileSystem> {
    let device = format!("{major}:{minor}");
    let line = mounts.lines().find(|line| line.split(' ').nth(2) == Some(&device))?;
    let kind = line.split_once(" - ")?.1.split(' ').next()?;
    NETWORK_FUSE.contains(&kind).then(|| named(kind))
}

fn named(name: &str) -> NetworkFileSystem {
    NetworkFileSystem { name: name.to_owned(), may_hang: name == "nfs" }
}

#[cfg(test)]
mod tests {
    use super::{FUSE, by_magic, by_mount, network_of};

    #[test]
    fn file_systems_of_other_machines_are_known_by_their_numbers() {
        for (magic, name) in [
            (0x6969, Some("nfs")),
            (0xff53_4d42, Some("cifs")),
            (0xfe53_4d42, Some("smb2")),
            (0x517b, Some("smb")),
            (0x0102_1997, Some("9p")),
            (0x00c3_6400, Some("ceph")),
            (0x5346_414f, Some("afs")),
            (0xef53, None),
            (0x0102_1994, None),
            (0x9123_683e, None),
            (0x5846_5342, None),
            (0x794c_7630, None),
            (FUSE, None),
        ] {
            let found = by_magic(magic).map(|found| found.name);
            assert_eq!(found.as_deref(), name, "{magic:#x}");
        }
    }

    #[test]
    fn a_lock_is_requested_everywhere_but_on_nfs() {
        assert!(by_magic(0x6969).unwrap().may_hang);
        assert!(!by_magic(0xff53_4d42).unwrap().may_hang);
    }

    #[test]
    fn file_systems_in_user_space_are_known_by_their_mounts() {
        let mounts = "\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
36 22 0:52 / /mnt/far rw,nosuid shared:1 - fuse.sshfs me@host:/ rw,user_id=0
37 22 0:53 / /mnt/near\\040disk rw - fuseblk /dev/sdb1 rw
38 22 0:54 / /mnt/bucket rw shared:2 master:3 - fuse.s3fs s3fs rw\n";
        for (minor, name) in
            [(52, Some("fuse.sshfs")), (53, None), (54, Some("fuse.s3fs")), (99, None)]
        {
            let found = by_mount(mounts, (0, minor)).map(|found| found.name);
            assert_eq!(found.as_deref(), name, "0:{minor}");
        }
        assert_eq!(by_mount(mounts, (254, 0)), None);
        assert_eq!(by_mount("", (0, 52)), None);
    }

    #[test]
    fn the_file_system_of_a_temporary_file_can_be_asked() {
        let file = tempfile::tempfile().unwrap();
        network_of(&file).unwrap();
    }
}
