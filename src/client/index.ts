export { connect, type ConnectOptions, type ServerCommand, type ServerTarget } from './connect.ts';
export type { CallOptions, TypedClient } from './typed-client.ts';
export type { AnyServer, ServerTypes, ToolArguments, TypedResult } from './server-types.ts';
export type { PersonSignInOptions } from './sign-in/sign-in.ts';
export type { McpClientOptions } from './mcp-client.ts';
export type { Completion } from '../call/results.ts';
export type { QuestionHandlers } from './era-2026.ts';
export type { Progress, RequestOptions } from './client-connection.ts';
export type { ChangeFilter, ServerDescription } from './client-era.ts';
