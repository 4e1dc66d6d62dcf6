"""Receives the cells of a trigger and does its work once for each, however often one comes.

    webhook_receiver.py DATABASE [ADDRESS PORT]

What is done goes into the same transaction as the work, here in SQLite. Prints its port, then a line of JSON a request.
"""

import json
import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import unquote

database = sqlite3.connect(sys.argv[1], check_same_thread=False)
database.execute("CREATE TABLE IF NOT EXISTS done (source TEXT, id TEXT, PRIMARY KEY (source, id))")
one_at_a_time = Lock()


def take(event, body):
    """Does the work for a cell; `event` holds its attributes, such as event["ce-column"]."""


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are used again

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        event = {name.lower(): unquote(value) for name, value in self.headers.items()}
        try:
            with one_at_a_time, database:
                new = database.execute(
                    "INSERT OR IGNORE INTO done VALUES (?, ?)", (event["ce-source"], event["ce-id"])
                ).rowcount == 1
                if new:
                    take(event, body)
        except sqlite3.OperationalError:
            return self.answer(503)  # come again
        print(json.dumps({"new": new, "event": event, "body": body}), flush=True)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


address, port = sys.argv[2:] or ("127.0.0.1", 0)
server = ThreadingHTTPServer((address, int(port)), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
