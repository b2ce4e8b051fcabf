//! Measures what naia sends one client that sees a crowd move: `truestep-peer-naia MOTION.jsonl HZ [RTT_MS [LOSS]]`. MOTION.jsonl is what ../motion prints.
//! Both ends are in this program, on naia's transport in memory, whose link conditioners delay each way by half of the round trip and drop the share LOSS in
//! each direction; the packets that the server sends are counted before that. Over naia 0.25.0's UDP transport no client gets in: it asks for the time
//! before its handshake has ended, and the server answers that only after. Prints a JSON object.

mod store;

use std::{
    sync::Arc,
    thread::sleep,
    time::{Duration, Instant},
};

use naia_client::{
    transport::local::{LocalAddrCell, LocalClientSocket, Socket as ClientSocket},
    Client, ClientConfig, ClientTickEvent, ConnectEvent as Connected,
};
use naia_server::{
    transport::local::{LocalServerSocket, Socket as ServerSocket},
    shared::Instant as NaiaInstant, AuthEvent, ConnectEvent, RoomKey, Server, ServerConfig, TickEvent,
};
use naia_shared::{transport::local::LocalTransportHub, LinkConditionerConfig, Message, Property, Protocol, Replicate};

use parking_lot::Mutex;
use store::{Entity, Store};

/// One member of the crowd: lengths in 1/64 block, the yaw in 1/256 turn.
#[derive(Replicate)]
pub struct Actor {
    pub x: Property<i16>,
    pub y: Property<i16>,
    pub z: Property<i16>,
    pub yaw: Property<u8>,
    pub health: Property<u8>,
    pub flags: Property<u8>,
}

/// What the client says before it connects: the server reads no request without a body.
#[derive(Message)]
pub struct Auth {
    pub name: String,
}

const HEADERS: u64 = 28; // of IPv4 and UDP, bytes
const WARM: Duration = Duration::from_secs(2);
const MEASURE: Duration = Duration::from_secs(10);

fn protocol(hz: f64) -> Protocol {
    Protocol::builder().tick_interval(Duration::from_secs_f64(1.0 / hz)).add_default_channels().add_message::<Auth>().add_component::<Actor>().build()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.len() < 3 {
        eprintln!("usage: truestep-peer-naia MOTION.jsonl HZ [RTT_MS [LOSS]]");
        std::process::exit(2);
    }
    let number = |i: usize| args.get(i).map_or(0.0, |s| s.parse::<f64>().expect("a number"));
    let (hz, rtt, loss) = (number(2), number(3), number(4));
    let motion: Vec<Vec<i32>> = std::fs::read_to_string(&args[1])
        .expect("the motion file")
        .lines()
        .map(|l| l.trim_matches(['[', ']']).split(',').map(|n| n.parse().expect("an integer")).collect())
        .collect();
    let actors = motion[0].len() / 4;

    let hub = LocalTransportHub::new("127.0.0.1:1".parse().expect("an address"));
    hub.enable_packet_recording();
    let line = (rtt > 0.0 || loss > 0.0).then(|| LinkConditionerConfig::new((rtt / 2.0) as u32, 0, loss as f32));

    let mut config = ServerConfig::default();
    config.connection.bandwidth.target_bytes_per_sec = u32::MAX / 4;
    let mut server = Server::<Entity>::new(config, protocol(hz));
    server.listen(ServerSocket::new(LocalServerSocket::new(hub.clone()), line.clone()));
    let room = server.create_room().key();
    let mut world = Store::default();
    let mut crowd = Vec::new();
    for row in motion[0].chunks(4) {
        let actor = Actor::new_complete(row[0] as i16, row[1] as i16, row[2] as i16, row[3] as u8, 255, 1);
        let entity = server.spawn_entity(world.write()).insert_component(actor).id();
        server.room_mut(&room).add_entity(&entity);
        crowd.push(entity);
    }

    let mut client = Client::<Entity>::new(ClientConfig::default(), protocol(hz));
    let mut shown = Store::default();
    client.auth(Auth { name: "peer".to_string() });
    let (address, auth_tx, auth_rx, data_tx, data_rx) = hub.register_client();
    let cell = LocalAddrCell::new();
    cell.set_sync(hub.server_addr());
    let token = Arc::new(Mutex::new(None));
    let inner = LocalClientSocket::new_with_tokens(address, hub.server_addr(), auth_tx, auth_rx, data_tx, data_rx, cell, token, Arc::new(Mutex::new(None)));
    client.connect(ClientSocket::new(inner, line));

    let mut tick = 0;
    let mut began: Option<Instant> = None;
    let mut start: Option<usize> = None;
    let (mut bytes, mut packets) = (0, 0);
    let give_up = Instant::now() + Duration::from_secs(30);
    loop {
        step_server(&mut server, &mut world, room, &crowd, &motion, &mut tick);
        if step_client(&mut client, &mut shown) && began.is_none() {
            began = Some(Instant::now());
        }
        for (down, packet) in hub.take_recorded_packets() {
            if down && start.is_some() {
                bytes += packet.len() as u64;
                packets += 1;
            }
        }
        sleep(Duration::from_millis(1));
        let Some(began) = began else {
            assert!(Instant::now() < give_up, "the client does not connect");
            continue;
        };
        if began.elapsed() >= WARM && start.is_none() {
            start = Some(tick);
        }
        if began.elapsed() >= WARM + MEASURE {
            break;
        }
    }
    let ticks = (tick - start.expect("measured")) as f64;
    println!(
        "{{\"library\":\"naia\",\"actors\":{actors},\"shown\":{},\"rtt_ms\":{rtt},\"loss\":{loss},\"ticks_per_second\":{:.1},\"bytes_per_actor_and_tick\":{:.2},\"payload_per_actor_and_tick\":{:.2},\"packets_per_tick\":{:.2}}}",
        shown.len(),
        ticks / MEASURE.as_secs_f64(),
        (bytes + HEADERS * packets) as f64 / ticks / actors as f64,
        bytes as f64 / ticks / actors as f64,
        packets as f64 / ticks,
    );
    std::process::exit(if shown.len() == actors { 0 } else { 1 });
}

fn step_server(server: &mut Server<Entity>, world: &mut Store, room: RoomKey, crowd: &[Entity], motion: &[Vec<i32>], tick: &mut usize) {
    let now = NaiaInstant::now();
    server.receive_all_packets();
    server.process_all_packets(world.write(), &now);
    let mut events = server.take_world_events();
    let mut ticks = server.take_tick_events(&now);
    for (user, _) in events.read::<AuthEvent<Auth>>() {
        server.accept_connection(&user);
    }
    for user in events.read::<ConnectEvent>() {
        server.room_mut(&room).add_user(&user);
    }
    for _ in ticks.read::<TickEvent>() {
        *tick += 1;
        for (entity, row) in crowd.iter().zip(motion[*tick % motion.len()].chunks(4)) {
            let mut entity = server.entity_mut(world.write(), entity);
            let mut actor = entity.component::<Actor>().expect("an actor");
            // A property that is written is sent, also if it has not changed.
            let (x, y, z, yaw) = (row[0] as i16, row[1] as i16, row[2] as i16, row[3] as u8);
            if *actor.x != x {
                *actor.x = x;
            }
            if *actor.y != y {
                *actor.y = y;
            }
            if *actor.z != z {
                *actor.z = z;
            }
            if *actor.yaw != yaw {
                *actor.yaw = yaw;
            }
        }
        server.send_all_packets(world.read());
    }
}

/// Runs the client and returns true when it has just connected.
fn step_client(client: &mut Client<Entity>, shown: &mut Store) -> bool {
    let now = NaiaInstant::now();
    client.receive_all_packets();
    if !client.connection_status().is_connected() {
        client.send_all_packets(shown.write());
        return false;
    }
    client.process_all_packets(shown.write(), &now);
    let mut events = client.take_world_events();
    let connected = events.read::<Connected>().next().is_some();
    let mut ticks = client.take_tick_events(&now);
    if ticks.read::<ClientTickEvent>().next().is_some() {
        client.send_all_packets(shown.read());
    }
    connected
}
