import type { Target } from './target.ts';

export type TargetId = keyof typeof TARGETS;

/** Everything that is promised. A ratio of rates is better when it is higher, one of times when it is lower. */
export const TARGETS = {
  statelessBare: { name: 'tools/call, HTTP stateless: rate / bare node:http', comparison: '>=', limit: 0.8 },
  statelessSdk: { name: 'tools/call, HTTP stateless: rate / SDK v1', comparison: '>=', limit: 10 },
  statelessLite: { name: 'tools/call, HTTP stateless: rate / mcp-lite', comparison: '>=', limit: 2.5 },
  statelessPeers: { name: 'tools/call, HTTP stateless: rate / fastest peer', comparison: '>', limit: 1 },
  modernBare: { name: 'tools/call, HTTP 2026-07-28: rate / bare node:http', comparison: '>=', limit: 0.8 },
  modernSdk: { name: 'tools/call, HTTP 2026-07-28: rate / SDK v2', comparison: '>=', limit: 5 },
  sessionBare: { name: 'tools/call, HTTP session: rate / bare node:http', comparison: '>=', limit: 0.7 },
  authenticatedStateless: {
    name: 'tools/call, HTTP stateless with a token: rate / bare node:http',
    comparison: '>=',
    limit: 0.7,
  },
  authenticatedModern: {
    name: 'tools/call, HTTP 2026-07-28 with a token: rate / bare node:http',
    comparison: '>=',
    limit: 0.7,
  },
  authenticatedSession: {
    name: 'tools/call, HTTP session with a token: rate / bare node:http',
    comparison: '>=',
    limit: 0.7,
  },
  authenticatedJwt: {
    name: 'tools/call, HTTP stateless with a known JWT: rate / bare node:http',
    comparison: '>=',
    limit: 0.65,
  },
  authenticatedLimited: {
    name: 'the same with two scopes, a rate limit and a time limit: rate / bare node:http',
    comparison: '>=',
    limit: 0.6,
  },
  sessionSdk: { name: 'tools/call, HTTP session: rate / SDK v1', comparison: '>=', limit: 1.5 },
  stdioSdk: { name: 'tools/call, stdio 2025: rate / SDK v1', comparison: '>=', limit: 1.5 },
  stdioModernSdk: { name: 'tools/call, stdio 2026-07-28: rate / SDK v2', comparison: '>=', limit: 1.5 },
  memoryCall: {
    name: 'tools/call, in memory: time / Server that does nothing',
    comparison: '<=',
    limit: 1.15,
  },
  listFlat: {
    name: 'tools/list, in memory: time of 500 tools / of 5',
    comparison: 'between',
    limit: [0.9, 1.1],
  },
  listFlatHttp: {
    name: 'tools/list, HTTP: time of 500 tools / of 5, each / bare with as many bytes',
    comparison: '<=',
    limit: 1.1,
  },
  listPruned: {
    name: 'tools/list, HTTP with a JWT: rate of a pruned view / without requirements',
    comparison: '>=',
    limit: 0.97,
  },
  listSdk: { name: 'tools/list, 50 tools in memory: rate / McpServer', comparison: '>=', limit: 60 },
  findActions: {
    name: 'find_actions, in memory: a search over 1,000 actions in a view of 2,000',
    comparison: '<=',
    limit: 2,
    unit: 'ms',
  },
  surfaceList: {
    name: 'tools/list, 300 actions in the process: rate of a surface / as declared',
    comparison: '>=',
    limit: 0.95,
  },
  surfaceCall: {
    name: 'tools/call, 2026-07-28 in the process: rate with a surface for each client / without',
    comparison: '>=',
    limit: 0.95,
  },
  surfaceStart: {
    name: 'start-up: create(), 300 actions: processor time with the surfaces of all clients / with one',
    comparison: '<=',
    limit: 1.25,
  },
  validGenerated: { name: 'valid input, generated check: rate / class stack', comparison: '>=', limit: 100 },
  validClosures: { name: 'valid input, closures: rate / class stack', comparison: '>=', limit: 25 },
  validZod: { name: 'valid input: rate / zod 4', comparison: '>', limit: 1 },
  validAjv: { name: 'valid input: rate / ajv with plainToInstance', comparison: '>', limit: 1 },
  invalid: { name: 'invalid input: time / class stack', comparison: '<=', limit: 1.2 },
  falseAccepts: { name: 'false accepts in 1,000,000 generated cases', comparison: '<=', limit: 0 },
  residentMemory: {
    name: 'memory under load: RSS / bare with the same packages',
    comparison: '<=',
    limit: 1.3,
  },
  heapDrift: {
    name: 'memory: heap growth per 100,000 calls',
    comparison: '<=',
    limit: 2,
    unit: 'MB',
    isDifference: true,
  },
  create: {
    name: 'start-up: create(), 50 controllers with 10 actions',
    comparison: '<=',
    limit: 300,
    unit: 'ms',
  },
  createLinear: { name: 'start-up: time per controller, 100 of them / 50', comparison: '<=', limit: 1.2 },
  answerHttp: { name: 'start-up: first answer over HTTP: time / base', comparison: '<=', limit: 1.25 },
  answerStdio: { name: 'start-up: first answer over stdio: time / base', comparison: '<=', limit: 1.25 },
  createBase: {
    name: 'start-up: create(), 50 controllers with 10 actions: time / base',
    comparison: '<=',
    limit: 1.2,
  },
  answerHttpProcessor: {
    name: 'start-up: first answer over HTTP: processor time / base',
    comparison: '<=',
    limit: 1.25,
  },
  createBaseProcessor: {
    name: 'start-up: create(), 50 controllers with 10 actions: processor time / base',
    comparison: '<=',
    limit: 1.2,
  },
  commandVersion: {
    name: 'command line: toolwright --version: time / empty process',
    comparison: '<=',
    limit: 2,
  },
  commandCall: {
    name: 'command line: toolwright call <file>: time / the same by hand',
    comparison: '<=',
    limit: 1.5,
  },
  hotSwap: { name: 'command line: hot swap: rate / restart', comparison: '>=', limit: 10 },
  clusterStateless: {
    name: 'replicas: round trips to the store per call, HTTP 2026-07-28',
    comparison: '<=',
    limit: 0,
  },
  clusterSession: {
    name: 'replicas: round trips to the store per call, HTTP session',
    comparison: '<=',
    limit: 1,
  },
  clusterLimits: {
    name: 'replicas: round trips to the store per call with three limits',
    comparison: '<=',
    limit: 1,
  },
  clusterSessionTime: {
    name: 'replicas: processor time per call in a session, on Redis / in memory',
    comparison: '<=',
    limit: 1.5,
  },
  clusterKeyedTime: {
    name: 'replicas: processor time per call with a key, on Redis / in memory',
    comparison: '<=',
    limit: 1.5,
  },
  clusterMemory: {
    name: 'replicas: memory of Redis per session, 10,000 of them / 1,000',
    comparison: '<=',
    limit: 1.1,
  },
  clusterCommands: {
    name: 'replicas: round trips to the store per session, 10,000 of them / 1,000',
    comparison: '<=',
    limit: 1.05,
  },
  clusterMessages: {
    name: 'replicas: messages on the bus per change of a list and replica',
    comparison: '<=',
    limit: 1,
  },
  importOwn: { name: 'start-up: own code added to the import', comparison: '<=', limit: 30, unit: 'ms' },
} as const satisfies Readonly<Record<string, Target>>;
