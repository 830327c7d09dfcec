#!/usr/bin/env python3
"""Receives what a pool pushes: receiver.py PORT SECRET [SECRET]. Nothing but Python is needed."""
import base64, hashlib, hmac, http.server, sys, time

keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in sys.argv[2:]]
done = set()  # execution ids; keep them in your database, in the transaction of the effect, to survive a restart


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        id, at = self.headers.get("webhook-id", ""), self.headers.get("webhook-timestamp", "0")
        given = self.headers.get("webhook-signature", "").split()
        macs = [hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest() for key in keys]
        right = any(hmac.compare_digest("v1," + base64.b64encode(mac).decode(), one) for mac in macs for one in given)
        fresh = right and abs(time.time() - int(at)) < 300
        if fresh and id not in done:
            print(f"{id} attempt {self.headers['kairos-attempt']}: {body.decode()}", flush=True)  # the work
            done.add(id)
        self.send_response(200 if fresh else 401)
        self.end_headers()


http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
