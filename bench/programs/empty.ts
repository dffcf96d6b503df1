import { sendResult } from './program.ts';

// The milliseconds that a process takes before it begins with anything: what the times beside it are times of
sendResult(performance.now());
