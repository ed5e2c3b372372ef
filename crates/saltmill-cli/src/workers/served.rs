// SPDX-License-Identifier: Apache-2.0
//! Simulated devices that other programs use, over vfio-user.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use saltmill_sim::{Fault, SimConfig, System};
use saltmill_vfio_user::{ServeError, Server, Session, Wiring};

use crate::{
    args::{ServeArguments, WiringName},
    report::{
        failure::{Failure, hint, reason},
        interrupt,
        say::{self, shown},
    },
    workers::simulated::{no_system, profile},
};

/// How often it is looked whether somebody asked to end.
const LOOK: Duration = Duration::from_millis(50);

/// One thing that happened at one socket, and whether it is the last there.
struct Event {
    socket: usize,
    what: Result<Session, ServeError>,
    last: bool,
}

/// Serves until a signal comes, all devices have failed, or, with `--once`, all clients have gone.
pub fn serve(arguments: &ServeArguments) -> Result<(), Failure> {
    let cancel = interrupt::token()?;
    let mut sockets = Sockets::default();
    let (sender, events) = mpsc::channel();
    for (index, path) in arguments.sockets.iter().enumerate() {
        let server = bind(arguments, path)?;
        sockets.0.push(path.clone());
        let (sender, once) = (sender.clone(), arguments.once);
        thread::spawn(move || clients(index, server, once, &sender));
    }
    drop(sender);
    let variant = &arguments.sim_variant;
    for path in &sockets.0 {
        say::tell(format_args!("serving {} at {}", shown(variant), shown(path)));
    }
    let (mut open, mut failed) = (sockets.0.len(), false);
    while open > 0 {
        match events.recv_timeout(LOOK) {
            Ok(Event { socket, what, last }) => {
                let name = shown(&sockets.0[socket]);
                match what {
                    Ok(session) => tell(&name, &session),
                    Err(error) => {
                        let failure = failure(&name, error);
                        say::tell(&failure);
                        failed = true;
                    }
                }
                open -= usize::from(last);
            }
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                return Err(Failure::interrupted().hinted("the devices are gone"));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if failed {
        return Err(Failure::device("not all devices worked to the end", "the reasons are above"));
    }
    Ok(())
}

fn bind(arguments: &ServeArguments, path: &Path) -> Result<Server, Failure> {
    let (variant, memory) = (arguments.sim_variant.clone(), profile(&arguments.sim_memory)?);
    let fault = arguments.sim_hang_at.map(|from_cycle| Fault::Hang { device: 0, from_cycle });
    let config = SimConfig { variant, memory, dma_bytes: 0, fault, ..SimConfig::default() };
    let device = System::new(config).map_err(no_system)?.remove(0);
    let wiring = match arguments.interrupt {
        WiringName::Proper => Wiring::Proper,
        WiringName::Line => Wiring::Line,
        WiringName::Stuck => Wiring::Stuck,
        WiringName::Cut => Wiring::Cut,
    };
    Server::bind_wired(path, device, wiring).map_err(|error| failure(&shown(path), error))
}

/// Serves one client after the other.
fn clients(socket: usize, mut server: Server, once: bool, events: &Sender<Event>) {
    loop {
        let what = server.serve();
        let last = once || what.is_err();
        if events.send(Event { socket, what, last }).is_err() || last {
            return;
        }
    }
}

fn tell(name: &str, session: &Session) {
    let Session { interrupts, accesses, cycles, unshared_bytes, .. } = session;
    say::tell(format_args!(
        "{name}: a client has gone: {accesses} register accesses, {interrupts} interrupts, \
         {cycles} clock cycles"
    ));
    if let Some(broken) = &session.broken {
        say::warn(
            &format!("{name}: the client broke the protocol: {broken}"),
            "the next client gets the device as after power-on",
        );
    }
    if let Some(reason) = &session.refused {
        say::warn(
            &format!("{name}: the client asked for memory in a way that was refused: {reason}"),
            "the device saw the memory that it had before",
        );
    }
    if session.windows == 0 && *unshared_bytes > 0 {
        say::warn(
            &format!("{name}: the client did not share {unshared_bytes} bytes of its memory"),
            "start QEMU with -object memory-backend-memfd,share=on and memory-backend=",
        );
    }
}

fn failure(name: &str, error: ServeError) -> Failure {
    match error {
        ServeError::Exists => Failure::usage(
            format!("{name} can't be made: there is a file of that name"),
            "remove it if no other server uses it, or name another path",
        ),
        ServeError::Socket(error) => {
            Failure::run(format!("{name} can't be used: {}", reason(&error)), hint(&error))
        }
        ServeError::Device(error) => error.into(),
        other => Failure::run(format!("{name}: {other}"), "try it again"),
    }
}

/// The paths of the sockets, which go with them: threads that wait for a client don't end.
#[derive(Default)]
struct Sockets(Vec<PathBuf>);

impl Drop for Sockets {
    fn drop(&mut self) {
        for path in &self.0 {
            // A server that has ended has removed it.
            let _ = fs::remove_file(path);
        }
    }
}
