//! A transport for naia over UDP. A client asks for its token over TCP, as with naia's own transport over UDP; all else is UDP, a packet of naia in each
//! datagram. Over the latter no client of naia 0.25.0 gets in: it asks for the time before its handshake has ended, which the server answers only after. This
//! transport has the shorter handshake that naia uses with its other transports.

use std::{
    collections::HashMap,
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream, UdpSocket},
    sync::{Arc, Mutex},
};

use naia_client::transport as client;
use naia_server::transport as server;
use naia_shared::IdentityToken;

const MAX_PACKET: usize = 1472;

/// The sockets of a server: TCP for tokens and UDP, at the same port.
pub struct ServerSocket {
    listener: TcpListener,
    udp: UdpSocket,
}

impl ServerSocket {
    pub fn bind(addr: &str) -> Self {
        let (listener, udp) = (TcpListener::bind(addr).expect("a TCP socket"), UdpSocket::bind(addr).expect("a UDP socket"));
        listener.set_nonblocking(true).expect("a socket that does not block");
        udp.set_nonblocking(true).expect("a socket that does not block");
        Self { listener, udp }
    }
}

impl From<ServerSocket> for Box<dyn server::Socket> {
    fn from(s: ServerSocket) -> Self {
        Box::new(s)
    }
}

impl server::Socket for ServerSocket {
    fn listen(self: Box<Self>) -> server::ListenResult {
        let waiting = Waiting::default();
        let udp = Arc::new(self.udp);
        let tokens = Tokens { listener: Arc::new(self.listener), waiting: waiting.clone(), request: Vec::new() };
        (Box::new(waiting), Box::new(tokens), Box::new(ServerSender(udp.clone())), Box::new(ServerReceiver { udp, buffer: [0; MAX_PACKET] }))
    }
}

/// The connections of clients that wait for a token.
#[derive(Clone, Default)]
struct Waiting(Arc<Mutex<HashMap<SocketAddr, TcpStream>>>);

impl server::AuthSender for Waiting {
    fn accept(&self, address: &SocketAddr, token: &IdentityToken) -> Result<(), server::SendError> {
        let mut stream = self.0.lock().unwrap().remove(address).ok_or(server::SendError)?;
        stream.write_all(token.as_bytes()).map_err(|_| server::SendError)
    }

    fn reject(&self, address: &SocketAddr) -> Result<(), server::SendError> {
        self.0.lock().unwrap().remove(address).map(drop).ok_or(server::SendError)
    }
}

#[derive(Clone)]
struct Tokens {
    listener: Arc<TcpListener>,
    waiting: Waiting,
    request: Vec<u8>,
}

impl server::AuthReceiver for Tokens {
    fn receive(&mut self) -> Result<Option<(SocketAddr, &[u8])>, server::RecvError> {
        let (mut stream, from) = match self.listener.accept() {
            Ok(s) => s,
            Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(None),
            Err(_) => return Err(server::RecvError),
        };
        stream.set_nonblocking(false).map_err(|_| server::RecvError)?;
        let mut length = [0; 1];
        stream.read_exact(&mut length).map_err(|_| server::RecvError)?;
        self.request = vec![0; length[0] as usize];
        stream.read_exact(&mut self.request).map_err(|_| server::RecvError)?;
        self.waiting.0.lock().unwrap().insert(from, stream);
        Ok(Some((from, &self.request)))
    }
}

#[derive(Clone)]
struct ServerSender(Arc<UdpSocket>);

impl server::PacketSender for ServerSender {
    fn send(&self, address: &SocketAddr, payload: &[u8]) -> Result<(), server::SendError> {
        self.0.send_to(payload, address).map(drop).map_err(|_| server::SendError)
    }
}

#[derive(Clone)]
struct ServerReceiver {
    udp: Arc<UdpSocket>,
    buffer: [u8; MAX_PACKET],
}

impl server::PacketReceiver for ServerReceiver {
    fn receive(&mut self) -> Result<Option<(SocketAddr, &[u8])>, server::RecvError> {
        match self.udp.recv_from(&mut self.buffer) {
            Ok((n, from)) => Ok(Some((from, &self.buffer[..n]))),
            Err(e) if e.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(_) => Err(server::RecvError),
        }
    }
}

/// The socket of a client.
pub struct ClientSocket {
    addr: SocketAddr,
    udp: UdpSocket,
}

impl ClientSocket {
    pub fn new(addr: &str) -> Self {
        let udp = UdpSocket::bind("0.0.0.0:0").expect("a UDP socket");
        udp.connect(addr).expect("the address of the server");
        udp.set_nonblocking(true).expect("a socket that does not block");
        Self { addr: addr.parse().expect("an IP address and a port"), udp }
    }
}

impl From<ClientSocket> for Box<dyn client::Socket> {
    fn from(s: ClientSocket) -> Self {
        Box::new(s)
    }
}

type ClientIo = (Box<dyn client::IdentityReceiver>, Box<dyn client::PacketSender>, Box<dyn client::PacketReceiver>);

impl client::Socket for ClientSocket {
    fn connect(self: Box<Self>) -> ClientIo {
        unreachable!("the client sends a request for a token")
    }

    fn connect_with_auth(self: Box<Self>, request: Vec<u8>) -> ClientIo {
        let mut stream = TcpStream::connect(self.addr).expect("a connection to the server");
        stream.write_all(&[&[request.len() as u8], &request[..]].concat()).expect("the request is sent");
        let mut token = String::new();
        stream.read_to_string(&mut token).expect("a token");
        let end = ClientEnd { addr: self.addr, udp: Arc::new(self.udp), buffer: [0; MAX_PACKET] };
        (Box::new(Token(token)), Box::new(end.clone()), Box::new(end))
    }

    fn connect_with_auth_headers(self: Box<Self>, _: Vec<(String, String)>) -> ClientIo {
        unreachable!("the client has no headers")
    }

    fn connect_with_auth_and_headers(self: Box<Self>, _: Vec<u8>, _: Vec<(String, String)>) -> ClientIo {
        unreachable!("the client has no headers")
    }
}

#[derive(Clone)]
struct Token(IdentityToken);

impl client::IdentityReceiver for Token {
    fn receive(&mut self) -> client::IdentityReceiverResult {
        client::IdentityReceiverResult::Success(self.0.clone())
    }
}

#[derive(Clone)]
struct ClientEnd {
    addr: SocketAddr,
    udp: Arc<UdpSocket>,
    buffer: [u8; MAX_PACKET],
}

impl client::PacketSender for ClientEnd {
    fn send(&self, payload: &[u8]) -> Result<(), client::SendError> {
        self.udp.send(payload).map(drop).map_err(|_| client::SendError)
    }

    fn server_addr(&self) -> client::ServerAddr {
        client::ServerAddr::Found(self.addr)
    }
}

impl client::PacketReceiver for ClientEnd {
    fn receive(&mut self) -> Result<Option<&[u8]>, client::RecvError> {
        match self.udp.recv(&mut self.buffer) {
            Ok(n) => Ok(Some(&self.buffer[..n])),
            Err(e) if e.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(_) => Err(client::RecvError),
        }
    }

    fn server_addr(&self) -> client::ServerAddr {
        client::ServerAddr::Found(self.addr)
    }
}
