// A mend for the npm package raknet-native. It counts its waiting packets before it takes their lock. If a packet arrives at that moment, the
// count may be too great. The list that it passes on then ends with holes, and the package's own loop over the list throws an error that ends
// the process.

/** Makes all clients of the package's class Client skip the holes of lists of packets. */
export function skipHoles({ prototype }) {
  const start = prototype.startListening;
  prototype.startListening = function startListening() {
    const native = this.client;
    this.client = { listen: (receive, ...rest) => native.listen((packets, ...from) => receive(packets.filter(Boolean), ...from), ...rest) };
    start.call(this);
    this.client = native;
  };
}
