import { type ExplorerEvent, PATHS } from '../../contract.ts';
import { isConnected, lost } from './application.ts';
import { askApi, failureOf } from './session.ts';

const FIRST_DELAY = 500;
const LONGEST_DELAY = 10_000;

/** Reads the events of the server, and opens the stream again when it breaks. */
export async function followEvents(take: (event: ExplorerEvent) => void): Promise<void> {
  let delay = FIRST_DELAY;
  for (;;) {
    try {
      const { body } = await askApi(PATHS.events);
      if (body === null) return;
      for await (const line of linesOf(body)) {
        delay = FIRST_DELAY;
        if (line !== '') take(JSON.parse(line) as ExplorerEvent);
      }
    } catch (error) {
      // A server that is being started again does not answer for a while
      lost.value = failureOf(error);
    }
    isConnected.value = false;
    const wait = delay;
    await new Promise((resolve) => setTimeout(resolve, wait));
    delay = Math.min(delay * 2, LONGEST_DELAY);
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
