// Writes records to an audit file as fast as it can, until it is killed.
import { AuditLog } from '../../src/features/audit/audit-log.ts';
import { jsonLinesAuditStore } from '../../src/audit/index.ts';
import { Logger } from '../../src/call/logger.ts';

class Silent extends Logger {
  log(): void {
    // Nobody reads it
  }
}

const [path = '', text = 'x'] = process.argv.slice(2);
const audit = new AuditLog(
  { store: jsonLinesAuditStore(path) },
  { name: 'writer', version: '1.0.0', logger: new Silent() },
);
for (let count = 1; ; count += 1) {
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      audit.append({
        type: 'change',
        change: `${String(count)}.${String(index)}`,
        details: { text: text.repeat(500) },
      }),
    ),
  );
  if (count === 1) process.stdout.write('writing\n');
}
