import { deriveExchange } from '../../call/derive-exchange.ts';
import type { Conversation } from './conversation.ts';
import type { CallProgress } from './journal.ts';
import { LazyConversation } from './lazy-conversation.ts';
import { endWith, thrownEnd, wasInterrupted, type RoundEnd } from './round-end.ts';
import type { Conducted, RunningCall } from './running-call.ts';

/**
 * Answers the first request of a call. It becomes a round of a conversation when its handler begins one, and costs
 * little more than the handler until then.
 * @param play plays the round of a handler that runs already
 */
export function answerFirstRound<Result extends object>(
  { exchange, run }: RunningCall<Result>,
  progress: CallProgress,
  play: (conversation: Conversation, running: Promise<Result>) => Promise<Conducted<Result>>,
): Promise<Conducted<Result>> {
  return new Promise((resolve, reject) => {
    const conversation = new LazyConversation(progress, (begun) => {
      // The handler may begin it before its promise is here
      resolve(Promise.resolve().then(() => play(begun, running)));
    });
    const settle = (end: RoundEnd<Result>): void => {
      if (conversation.isBegun) return;
      conversation.close(wasInterrupted(end, exchange) ? 'interrupted' : 'over');
      if ('result' in end) resolve(end.result);
      // A client gets what was thrown, whatever it is
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      else reject(end.thrown);
    };
    const running = started(() => run(deriveExchange(exchange, conversation)));
    running.then(
      (result) => settle(endWith(result)),
      (thrown: unknown) => settle(thrownEnd(thrown)),
    );
  });
}

/** A promise also of what throws at once: whoever plays the round waits for it. */
function started<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return run();
  } catch (thrown) {
    // A client gets what was thrown, whatever it is
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    return Promise.reject(thrown);
  }
}
