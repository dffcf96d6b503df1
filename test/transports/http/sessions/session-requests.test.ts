import { expect, test } from '@jest/globals';
import { Cancellation } from '../../../../src/call/call-context.ts';
import type { HttpAnswer } from '../../../../src/transports/http/http-answer.ts';
import type { HttpExchange } from '../../../../src/transports/http/http-exchange.ts';
import { httpSettings, type SessionSettings } from '../../../../src/transports/http/http-options.ts';
import { SessionRequests } from '../../../../src/transports/http/sessions/session-requests.ts';
import { Backlog } from '../../../../src/transports/http/streams/backpressure-counter.ts';
import { echo, fakeApplication } from '../../../support/fake-application.ts';
import { INITIALIZE } from '../../../support/raw-http.ts';

test('opens no session after it was closed', async () => {
  const settings = httpSettings({}, undefined);
  const backlog = new Backlog(settings.maxUnreadBytes, () => undefined);
  const application = fakeApplication({ echo });
  const requests = new SessionRequests(
    { application, settings, backlog, report: () => undefined },
    settings.sessions as SessionSettings,
  );
  const answers: HttpAnswer[] = [];
  const exchange = {
    method: 'POST',
    sessionId: null,
    revision: null,
    gone: new Cancellation(),
    answer: (answer: HttpAnswer) => void answers.push(answer),
  } as unknown as HttpExchange;

  await requests.serve(exchange, JSON.parse(INITIALIZE));
  expect(answers).toMatchObject([{ status: 200 }]);
  await requests.close();
  expect(() => requests.serve(exchange, JSON.parse(INITIALIZE))).toThrow(
    expect.objectContaining({ status: 503, options: expect.objectContaining({ id: 1 }) }),
  );
});
