import type { Signal } from '@preact/signals';

const LEAST = 180;
const MOST = 640;
const STEP = 16;

/** Between two columns: dragged, or moved with the arrow keys. */
export function Divider({
  width,
  grows,
  label,
}: {
  readonly width: Signal<number>;
  /** 1 if the column grows to the right, -1 if it grows to the left. */
  readonly grows: 1 | -1;
  readonly label: string;
}) {
  const resize = (by: number): void => {
    width.value = Math.min(MOST, Math.max(LEAST, width.value + by * grows));
  };
  return (
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width.value}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(event.movementX);
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') resize(-STEP);
        if (event.key === 'ArrowRight') resize(STEP);
      }}
    />
  );
}
