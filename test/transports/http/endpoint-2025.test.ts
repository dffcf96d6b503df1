import { expect, test } from '@jest/globals';
import { Cancellation } from '../../../src/call/call-context.ts';
import type { AdmittedRequest } from '../../../src/transports/http/admitted-request.ts';
import { readPost } from '../../../src/transports/http/http-body.ts';
import { httpSettings } from '../../../src/transports/http/http-options.ts';
import { Endpoint2025 } from '../../../src/transports/http/endpoint-2025.ts';
import { UnreadEvents } from '../../../src/transports/http/streams/unread-events.ts';
import { echo, fakeSurface } from '../../fixtures/fake-surface.ts';
import { INITIALIZE, JSON_HEADERS } from '../../fixtures/raw-http.ts';

function admitted(body: string): AdmittedRequest {
  const headers = new Headers(JSON_HEADERS);
  const bytes = new TextEncoder().encode(body);
  const url = new URL('http://localhost/mcp');
  return {
    request: {
      method: 'POST',
      path: '/mcp',
      url,
      host: url.host,
      headers,
      gone: new Cancellation(),
      readBody: async () => bytes,
    },
    posted: readPost(bytes, 4096, headers),
    authInfo: undefined,
    unread: new UnreadEvents(),
    ending: new Cancellation(),
    atEnd: () => undefined,
  };
}

test('refuses whoever it opens a session for while it closes', async () => {
  const endpoint = new Endpoint2025(fakeSurface({ echo }), httpSettings({}, undefined));
  const serving = endpoint.serve(admitted(INITIALIZE));
  const closing = endpoint.close();
  await expect(serving).rejects.toMatchObject({ status: 503, options: { id: 1 } });
  await closing;
});
