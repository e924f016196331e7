// A client of the Language Server Protocol: starts a server, sends it messages, and hands on what it says. It knows nothing
// of the editor.
'use strict';
const { spawn } = require('child_process');

class Client {
  // `say(method, params)` is called for each notification, and `ended(why)` once, when the server has ended.
  constructor(program, args, say, ended) {
    this.say = say;
    this.waiting = new Map();
    this.received = Buffer.alloc(0);
    this.lastId = 0;
    this.isOver = false;
    this.server = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.server.on('error', (error) => this.end(`${program} cannot be started: ${error.message}`, ended));
    this.server.on('exit', (code, signal) => this.end(`the server has ended (${signal || code})`, ended));
    this.server.stdin.on('error', () => {}); // its end is told by 'exit'
    this.server.stdout.on('data', (data) => this.receive(data));
    this.server.stderr.on('data', (data) => this.say('window/logMessage', { message: String(data) }));
  }

  end(why, ended) {
    if (this.isOver) return;
    this.isOver = true;
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
    ended(why);
  }

  send(message) {
    if (this.isOver) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.server.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  // The result of a request. `token` is the editor's, by which it may give up.
  request(method, params, token) {
    if (this.isOver) return Promise.reject(new Error('the server has ended'));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
      if (token) token.onCancellationRequested(() => this.notify('$/cancelRequest', { id }));
    });
  }

  receive(data) {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/^Content-Length: (\d+)$/m.exec(this.received.toString('latin1', 0, end).replace(/\r/g, ''))[1]);
      if (this.received.length < end + 4 + length) return;
      const message = JSON.parse(this.received.toString('utf8', end + 4, end + 4 + length));
      this.received = this.received.subarray(end + 4 + length);
      this.take(message);
    }
  }

  take(message) {
    if (message.method) {
      this.say(message.method, message.params);
      return;
    }
    const { resolve, reject } = this.waiting.get(message.id) || {};
    this.waiting.delete(message.id);
    if (!resolve) return;
    if (message.error) reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    else resolve(message.result);
  }

  // Ends the server as the protocol has it.
  async stop() {
    try {
      await this.request('shutdown');
      this.notify('exit');
    } catch {
      this.server.kill();
    }
  }
}

module.exports = { Client };
