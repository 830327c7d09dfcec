"""A worker whose effects the test sees: the handler "effect" says every 20 ms, over a connection of its own, which attempt it is.
The handler "fail" fails in the way its payload says.

effects.py PROTOSET ADDRESS NAME PORT SECONDS
"""

import os
import signal
import socket
import sys
import time

import kairos_worker


def main(protoset, address, name, port, length):
    def effect(task):
        with socket.create_connection(("127.0.0.1", int(port))) as connection:
            until = time.monotonic() + float(length)
            while time.monotonic() < until:
                line = "%s %d %d\n" % (task.payload.decode(), task.fence, os.getpid())
                connection.sendall(line.encode())
                time.sleep(0.02)

    def fail(task):
        if task.payload == b"exit":
            sys.exit("the handler has had enough")
        raise kairos_worker.Fatal("no such file: \udcff.txt")

    worker = kairos_worker.Worker(protoset, address, {"effect": effect, "fail": fail}, name)
    signal.signal(signal.SIGTERM, lambda *_: worker.stop())
    worker.run()


if __name__ == "__main__":
    given = sys.argv[1:]
    if len(given) == 3:  # under a controller
        given[1:1] = [os.environ["KAIROS_ADDRESS"], os.environ["KAIROS_WORKER"]]
    main(*given)
