import type { HttpOptions } from '../server/http/http-options.ts';
import type { StdioOptions } from '../server/stdio/serve-stdio.ts';

interface SignalOptions {
  /** Whether SIGINT and SIGTERM close the application before they end the process. Default true. */
  readonly signals?: boolean;
}

export interface HttpListenOptions extends HttpOptions, SignalOptions {}

export interface StdioListenOptions extends StdioOptions, SignalOptions {}
