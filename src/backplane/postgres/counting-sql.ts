/** The arithmetic is that of `InMemoryLimitStore`, on the same kind of numbers. */
export function limitSql(schema: string): string {
  return `CREATE TABLE ${schema}.limits (app text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL,
  used double precision NOT NULL, counted_at bigint NOT NULL, expires_at bigint NOT NULL, PRIMARY KEY (app, key));

-- The charge that has to wait longest, counted from 0, and its milliseconds; no row where all are counted
CREATE FUNCTION ${schema}.charge(of_app text, keys text[], costs double precision[], limits double precision[],
  periods double precision[], windows text[], bursts double precision[])
RETURNS TABLE (charge integer, retry_after double precision) LANGUAGE plpgsql AS $$
DECLARE
  now bigint;
  known record;
  begins bigint[];
  sums double precision[];
  ends bigint[];
  wait double precision;
BEGIN
  -- Adds the missing rows and locks all of them, in the order of their keys: calls never wait for each other in a ring
  INSERT INTO ${schema}.limits (app, key, used, counted_at, expires_at)
    SELECT DISTINCT of_app, k COLLATE "C" AS k, 0, 0, 0 FROM unnest(keys) k ORDER BY k
    ON CONFLICT (app, key) DO UPDATE SET used = 0 WHERE false;
  now := ${schema}.clock();
  retry_after := 0;
  FOR i IN 1 .. cardinality(keys) LOOP
    SELECT l.used, l.counted_at INTO known FROM ${schema}.limits l WHERE l.app = of_app AND l.key = keys[i];
    IF windows[i] <> '' THEN
      begins[i] := extract(epoch FROM date_trunc(windows[i], to_timestamp(now / 1000.0), 'UTC')) * 1000;
      ends[i] := extract(epoch FROM (date_trunc(windows[i], to_timestamp(now / 1000.0) AT TIME ZONE 'UTC')
        + ('1 ' || windows[i])::interval) AT TIME ZONE 'UTC') * 1000;
      sums[i] := costs[i] + CASE WHEN known.counted_at = begins[i] THEN known.used ELSE 0 END;
      wait := CASE WHEN sums[i] <= limits[i] THEN 0 ELSE ends[i] - now END;
    ELSE
      -- A clock that was set back makes nobody wait for it
      IF known.counted_at > now THEN
        UPDATE ${schema}.limits l SET counted_at = now WHERE l.app = of_app AND l.key = keys[i];
        known.counted_at := now;
      END IF;
      begins[i] := now;
      sums[i] := greatest(0, known.used - (now - known.counted_at) * limits[i]) + costs[i] * periods[i];
      ends[i] := now + ceil(sums[i] / limits[i]);
      wait := greatest(0, ceil((sums[i] - bursts[i] * periods[i]) / limits[i]));
    END IF;
    IF wait > retry_after THEN
      charge := i - 1;
      retry_after := wait;
    END IF;
  END LOOP;
  IF retry_after > 0 THEN
    RETURN NEXT;
    RETURN;
  END IF;
  FOR i IN 1 .. cardinality(keys) LOOP
    UPDATE ${schema}.limits l SET used = sums[i], counted_at = begins[i], expires_at = ends[i]
      WHERE l.app = of_app AND l.key = keys[i];
  END LOOP;
END $$;
`;
}

/** A call that runs has a row of each of its keys, as long as its process renews them. */
export function slotSql(schema: string): string {
  const key =
    'app text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, holder text COLLATE "C" NOT NULL';
  return `CREATE TABLE ${schema}.slots (${key}, expires_at bigint NOT NULL, PRIMARY KEY (app, key, holder));
CREATE INDEX slots_of_holder ON ${schema}.slots (app, holder);
CREATE TABLE ${schema}.slot_waits (${key}, place bigint NOT NULL, most double precision NOT NULL,
  expires_at bigint NOT NULL, PRIMARY KEY (app, key, holder));
CREATE INDEX slot_waits_of_holder ON ${schema}.slot_waits (app, holder);

CREATE FUNCTION ${schema}.lock_slots(of_app text, keys text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  number bigint;
BEGIN
  FOR number IN SELECT DISTINCT hashtextextended('${schema} slot ' || of_app || ' ' || k, 0) FROM unnest(keys) k ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock(number);
  END LOOP;
END $$;

${takeSlots(schema)}
CREATE FUNCTION ${schema}.leave_slots(of_app text, by_holder text, keys text[], channel text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ${schema}.lock_slots(of_app, keys);
  DELETE FROM ${schema}.slots s WHERE s.app = of_app AND s.holder = by_holder;
  DELETE FROM ${schema}.slot_waits w WHERE w.app = of_app AND w.holder = by_holder;
  PERFORM pg_notify(channel, 't0:' || w.key) FROM ${schema}.slot_waits w WHERE w.app = of_app AND w.key = ANY(keys);
END $$;
`;
}

function takeSlots(schema: string): string {
  return `CREATE FUNCTION ${schema}.take_slots(of_app text, by_holder text, keys text[], limits double precision[],
  sizes double precision[], lease bigint, waiting bigint, is_new boolean)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  now bigint;
  own_place bigint;
  running bigint;
  waits bigint;
  ahead bigint;
  is_free boolean := true;
  is_full boolean := false;
BEGIN
  PERFORM ${schema}.lock_slots(of_app, keys);
  now := ${schema}.clock();
  SELECT min(w.place) INTO own_place FROM ${schema}.slot_waits w WHERE w.app = of_app AND w.holder = by_holder;
  own_place := COALESCE(own_place, nextval('${schema}.numbers'));
  FOR i IN 1 .. cardinality(keys) LOOP
    SELECT count(*) INTO running FROM ${schema}.slots s
      WHERE s.app = of_app AND s.key = keys[i] AND s.expires_at > now;
    -- Those who came earlier go first, unless they wait for another key as well
    SELECT count(*), count(*) FILTER (WHERE w.place < own_place AND NOT EXISTS (
        SELECT FROM ${schema}.slot_waits o WHERE o.app = of_app AND o.holder = w.holder AND o.key <> w.key AND o.most <= (
          SELECT count(*) FROM ${schema}.slots s WHERE s.app = of_app AND s.key = o.key AND s.expires_at > now)))
      INTO waits, ahead FROM ${schema}.slot_waits w
      WHERE w.app = of_app AND w.key = keys[i] AND w.holder <> by_holder AND w.expires_at > now;
    IF running + ahead >= limits[i] THEN
      is_free := false;
      is_full := is_full OR waits >= sizes[i];
    END IF;
  END LOOP;
  IF is_free THEN
    INSERT INTO ${schema}.slots SELECT DISTINCT of_app, k, by_holder, now + lease FROM unnest(keys) k;
    DELETE FROM ${schema}.slot_waits w WHERE w.app = of_app AND w.holder = by_holder;
    RETURN 'taken';
  END IF;
  IF is_new AND is_full THEN RETURN 'full'; END IF;
  INSERT INTO ${schema}.slot_waits AS w
    SELECT DISTINCT ON (k) of_app, k, by_holder, own_place, m, now + waiting FROM unnest(keys, limits) u(k, m)
    ON CONFLICT (app, key, holder) DO UPDATE SET expires_at = excluded.expires_at;
  RETURN 'waiting';
END $$;
`;
}
