/**
 * The entries of stores. A value that is forgotten stays as an expired row until the sweep, so that the next one takes its
 * version while it has the row: none is smaller than one that was given before. It is held until -1, whatever the clock does.
 */
export function storeSql(schema: string): string {
  return `CREATE TABLE ${schema}.entries (app text COLLATE "C" NOT NULL, collection text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL, value text NOT NULL, version bigint NOT NULL, held_until bigint NOT NULL,
  expires_at bigint NOT NULL, owner text COLLATE "C", PRIMARY KEY (app, collection, key));
CREATE INDEX entries_of_owner ON ${schema}.entries (app, collection, owner) WHERE owner IS NOT NULL;
CREATE INDEX entries_expire ON ${schema}.entries (expires_at);

-- Puts an entry where what is there fits: 'absent', 'version', 'held' or 'any'. Gives what is there then
CREATE FUNCTION ${schema}.put_entry(new_entry ${schema}.entries, ttl bigint, hold bigint, condition text, wanted bigint,
  stays boolean, owner_bytes bigint, OUT outcome text, OUT entry ${schema}.entries, OUT hold_left bigint)
LANGUAGE plpgsql AS $$
DECLARE
  now bigint;
  used bigint;
  is_there boolean;
BEGIN
  IF owner_bytes IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(
      '${schema} share ' || new_entry.app || ' ' || new_entry.collection || ' ' || new_entry.owner, 0));
  END IF;
  LOOP
    SELECT * INTO entry FROM ${schema}.entries e WHERE e.app = new_entry.app
      AND e.collection = new_entry.collection AND e.key = new_entry.key FOR UPDATE;
    now := ${schema}.clock();
    hold_left := greatest(0, entry.held_until - now);
    is_there := coalesce(entry.expires_at > now AND entry.held_until >= 0, false);
    IF is_there THEN
      IF condition = 'absent' OR condition <> 'any' AND entry.version <> wanted
        OR condition = 'held' AND hold_left = 0 THEN outcome := 'refused'; RETURN; END IF;
    ELSIF condition IN ('version', 'held') THEN outcome := 'missing'; RETURN;
    END IF;
    IF owner_bytes IS NOT NULL AND ttl > 0 THEN
      SELECT coalesce(sum(octet_length(e.key) + octet_length(e.value)), 0) INTO used FROM ${schema}.entries e
        WHERE e.app = new_entry.app AND e.collection = new_entry.collection AND e.owner = new_entry.owner
          AND e.key <> new_entry.key AND e.expires_at > now AND e.held_until >= 0;
      IF used + octet_length(new_entry.key) + octet_length(new_entry.value) > owner_bytes
        THEN outcome := 'full'; RETURN; END IF;
    END IF;
    new_entry.held_until := CASE WHEN ttl > 0 THEN now + hold ELSE -1 END;
    new_entry.expires_at := now + ttl;
    IF entry.key IS NULL THEN
      new_entry.version := nextval('${schema}.numbers');
      INSERT INTO ${schema}.entries SELECT (new_entry).* ON CONFLICT DO NOTHING;
      -- Else one was put at the same time, which the next look sees
      IF FOUND THEN outcome := 'written'; entry.version := new_entry.version; RETURN; END IF;
    ELSE
      IF NOT (stays AND is_there) THEN entry.version := nextval('${schema}.numbers'); END IF;
      UPDATE ${schema}.entries e SET value = new_entry.value, version = entry.version,
          held_until = new_entry.held_until, expires_at = new_entry.expires_at,
          owner = CASE WHEN is_there THEN e.owner ELSE new_entry.owner END
        WHERE e.app = new_entry.app AND e.collection = new_entry.collection AND e.key = new_entry.key;
      outcome := 'written';
      RETURN;
    END IF;
  END LOOP;
END $$;
`;
}
