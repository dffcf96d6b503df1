import { stripVTControlCharacters } from 'node:util';
import type { Paint } from './colours.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { lengthOf } from './wrap.ts';

/** Where progress is shown. */
export interface ProgressPlace {
  write(text: string): void;
  /** Whether a line may be drawn again. */
  readonly canRedraw: boolean;
  width(): number;
  readonly paint: Paint;
  onEnd(): void;
}

/** How far some work is. */
export interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

const SHOWN_AFTER = 1000;
const BETWEEN_LINES = 1000;
const BETWEEN_DRAWINGS = 50;
const BAR = 24;
const ERASE_LINE = '\r\u001b[2K';

/** Shows how far some work is, once it takes longer than a second or reports it. */
export class Progress {
  readonly #label: string;
  readonly #place: ProgressPlace;
  #timer: NodeJS.Timeout | undefined;
  #shownAt = -Infinity;
  #isDrawn = false;

  constructor(label: string, place: ProgressPlace) {
    this.#label = label;
    this.#place = place;
    if (!place.canRedraw) return;
    this.#timer = setTimeout(() => {
      this.#draw(`${label} …`);
    }, SHOWN_AFTER).unref();
  }

  /** Shows the label at once, before work that leaves no time for it. */
  begin(): void {
    clearTimeout(this.#timer);
    if (this.#place.canRedraw) this.#draw(`${this.#label} …`);
  }

  report(report: ProgressReport): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    const { canRedraw } = this.#place;
    const isLast = report.total !== undefined && report.progress >= report.total;
    if (!isLast && now - this.#shownAt < (canRedraw ? BETWEEN_DRAWINGS : BETWEEN_LINES)) return;
    this.#shownAt = now;
    if (canRedraw) this.#draw(this.#bar(report));
    else this.#place.write(`${this.#label}: ${sayProgress(report)}\n`);
  }

  /** Removes the bar; what follows begins on an empty line. */
  end(): void {
    clearTimeout(this.#timer);
    this.erase();
    this.#place.onEnd();
  }

  /** Removes the bar until there is more to report. */
  erase(): void {
    if (this.#isDrawn) this.#place.write(ERASE_LINE);
    this.#isDrawn = false;
  }

  #bar(report: ProgressReport): string {
    const { paint } = this.#place;
    const { progress, total } = report;
    if (total === undefined || total <= 0) return `${this.#label} ${sayProgress(report)}`;
    const filled = Math.round(BAR * Math.min(1, Math.max(0, progress / total)));
    return `${paint.cyan('█'.repeat(filled))}${paint.dim('░'.repeat(BAR - filled))} ${sayProgress(report)}`;
  }

  #draw(text: string): void {
    const width = this.#place.width();
    // A line that wraps could not be erased
    const fitting =
      lengthOf(text) < width
        ? text
        : `${Array.from(stripVTControlCharacters(text))
            .slice(0, width - 2)
            .join('')}…`;
    this.#place.write(ERASE_LINE + fitting);
    this.#isDrawn = true;
  }
}

function sayProgress({ progress, total, message }: ProgressReport): string {
  const count = total === undefined ? String(progress) : `${String(progress)}/${String(total)}`;
  return message === undefined ? count : `${count} ${visibleText(message).replaceAll('\n', ' ')}`;
}
