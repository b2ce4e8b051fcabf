//! Sends the motion of a crowd from a naia server to a naia client over UDP: `truestep-peer-naia server MOTION.jsonl SCENE HZ ADDR`
//! and `truestep-peer-naia client ADDR ACTORS SCENE HZ`. MOTION.jsonl is what ../measure writes. Both read commands from standard input and answer each with a line of
//! JSON: the server answers `ticks` with the number of ticks so far, and `stop`, after which nothing moves, with the states of all actors; the client answers
//! `state` with the states of the actors that it knows. Both exit at the end of the input.

mod actor;
mod client;
mod server;
mod socket;
mod store;

use std::{
    io::BufRead,
    sync::mpsc::{channel, Receiver},
    time::Duration,
};

use actor::{Actor, Body, Walker};
use naia_shared::{Message, Protocol};

/// What the client says before it connects: the server reads no request without a body.
#[derive(Message)]
pub struct Auth {
    pub name: String,
}

/// How long a loop sleeps between two rounds.
pub const PAUSE: Duration = Duration::from_millis(1);

pub fn protocol<A: Actor>(hz: f64) -> Protocol {
    Protocol::builder().tick_interval(Duration::from_secs_f64(1.0 / hz)).add_default_channels().add_message::<Auth>().add_component::<A>().build()
}

/// The lines of standard input. At its end the program exits.
pub fn commands() -> Receiver<String> {
    let (tx, rx) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if tx.send(line).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    rx
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [_, "server", motion, "stinkysteak", hz, addr] => server::run::<Body>(motion, hz.parse().expect("ticks per second"), addr),
        [_, "server", motion, _, hz, addr] => server::run::<Walker>(motion, hz.parse().expect("ticks per second"), addr),
        [_, "client", addr, _, "stinkysteak", hz] => client::run::<Body>(addr, hz.parse().expect("ticks per second")),
        [_, "client", addr, _, _, hz] => client::run::<Walker>(addr, hz.parse().expect("ticks per second")),
        _ => {
            eprintln!("usage: truestep-peer-naia server MOTION.jsonl SCENE HZ ADDR, or truestep-peer-naia client ADDR ACTORS SCENE HZ");
            std::process::exit(2);
        }
    }
}
