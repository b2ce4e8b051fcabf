//! The client: shows the crowd.

use std::thread::sleep;

use naia_client::{Client, ClientConfig, ClientTickEvent};
use naia_shared::Instant;

use crate::{
    commands, protocol,
    socket::ClientSocket,
    store::{Entity, Store},
    Actor, Auth, PAUSE,
};

/// Connects to a server and shows its crowd.
pub fn run<A: Actor>(addr: &str, hz: f64) {
    let mut client = Client::<Entity>::new(ClientConfig::default(), protocol::<A>(hz));
    let mut shown = Store::default();
    client.auth(Auth { name: "peer".to_string() });
    client.connect(ClientSocket::new(addr));
    let commands = commands();
    loop {
        for command in commands.try_iter() {
            if command == "state" {
                println!("{:?}", state::<A>(&shown));
            }
        }
        step(&mut client, &mut shown);
        sleep(PAUSE);
    }
}

/// The values of all actors that are shown, in the order of their indices.
fn state<A: Actor>(shown: &Store) -> Vec<i32> {
    let mut all: Vec<(u16, Vec<i32>)> = shown.all::<A>().map(A::get).collect();
    all.sort();
    all.into_iter().flat_map(|(_, values)| values).collect()
}

fn step(client: &mut Client<Entity>, shown: &mut Store) {
    let now = Instant::now();
    client.receive_all_packets();
    if !client.connection_status().is_connected() {
        client.send_all_packets(shown.write());
        return;
    }
    client.process_all_packets(shown.write(), &now);
    drop(client.take_world_events());
    let mut ticks = client.take_tick_events(&now);
    if ticks.read::<ClientTickEvent>().next().is_some() {
        client.send_all_packets(shown.read());
    }
}
