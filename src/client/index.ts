export { HttpTransport, type HttpTransportOptions } from './http-transport.ts';
export { linkInMemory, type ServerHalf } from './memory-transport.ts';
export { McpClient, type McpClientOptions } from './mcp-client.ts';
export { StdioTransport, type StdioTransportOptions } from './stdio-transport.ts';
export type { ChangeFilter, ServerDescription } from './client-era.ts';
export type { Progress, RequestOptions } from './client-connection.ts';
export type { ClientMessage, ClientTransport, Receiver, SendOptions } from './client-transport.ts';
export type { ClientRoot, QuestionHandlers } from './questions.ts';
