//! The server: moves a crowd that one client sees.

use std::thread::sleep;

use naia_server::{shared::Instant, AuthEvent, ConnectEvent, RoomKey, Server, ServerConfig, TickEvent};

use crate::{
    commands, protocol,
    socket::ServerSocket,
    store::{Entity, Store},
    Actor, Auth, PAUSE,
};

struct Crowd {
    server: Server<Entity>,
    world: Store,
    room: RoomKey,
    actors: Vec<Entity>,
    rows: Vec<Vec<i32>>,
    seen: bool, // a client is connected, so the crowd moves
    stopped: bool,
    tick: usize, // ticks since the client has connected
    row: usize,
}

/// Serves one client that sees all actors. Ticks begin when it is connected.
pub fn run<A: Actor>(motion: &str, hz: f64, addr: &str) {
    let rows: Vec<Vec<i32>> = std::fs::read_to_string(motion)
        .expect("the motion file")
        .lines()
        .map(|l| l.trim_matches(['[', ']']).split(',').map(|n| n.parse().expect("an integer")).collect())
        .collect();
    let mut config = ServerConfig::default();
    config.connection.bandwidth.target_bytes_per_sec = u32::MAX / 4;
    let mut server = Server::<Entity>::new(config, protocol::<A>(hz));
    server.listen(ServerSocket::bind(addr));
    let room = server.create_room().key();
    let mut world = Store::default();
    let mut actors = Vec::new();
    for (i, v) in rows[0].chunks(A::FIELDS).enumerate() {
        let entity = server.spawn_entity(world.write()).insert_component(A::with(i as u16, v)).id();
        server.room_mut(&room).add_entity(&entity);
        actors.push(entity);
    }
    let mut crowd = Crowd { server, world, room, actors, rows, seen: false, stopped: false, tick: 0, row: 0 };
    let commands = commands();
    println!("ready");
    loop {
        for command in commands.try_iter() {
            match command.as_str() {
                "ticks" => println!("{}", crowd.tick),
                "stop" => {
                    crowd.stopped = true;
                    println!("{:?}", crowd.rows[crowd.row]);
                }
                _ => {}
            }
        }
        crowd.step::<A>();
        sleep(PAUSE);
    }
}

impl Crowd {
    fn step<A: Actor>(&mut self) {
        let now = Instant::now();
        self.server.receive_all_packets();
        self.server.process_all_packets(self.world.write(), &now);
        let mut events = self.server.take_world_events();
        let mut ticks = self.server.take_tick_events(&now);
        for (user, _) in events.read::<AuthEvent<Auth>>() {
            self.server.accept_connection(&user);
        }
        for user in events.read::<ConnectEvent>() {
            self.server.room_mut(&self.room).add_user(&user);
            self.seen = true;
        }
        for _ in ticks.read::<TickEvent>() {
            if self.seen {
                self.tick += 1;
                if !self.stopped {
                    self.row = self.tick % self.rows.len();
                }
                self.apply::<A>();
            }
            self.server.send_all_packets(self.world.read());
        }
    }

    /// Gives all actors the values of the present row.
    fn apply<A: Actor>(&mut self) {
        for (entity, values) in self.actors.iter().zip(self.rows[self.row].chunks(A::FIELDS)) {
            let mut entity = self.server.entity_mut(self.world.write(), entity);
            entity.component::<A>().expect("an actor").set(values);
        }
    }
}
