/** Where tasks are, and how one is added. */
export function taskSql(schema: string): string {
  return `CREATE TABLE ${schema}.tasks (app text COLLATE "C" NOT NULL, task_id text COLLATE "C" NOT NULL,
  subject text COLLATE "C", version bigint NOT NULL, created_at double precision NOT NULL,
  -- When it was added by the clock of the database, and its place among those that are done
  added_at bigint NOT NULL, done bigint, record text NOT NULL, expires_at bigint NOT NULL,
  PRIMARY KEY (app, task_id));
CREATE INDEX tasks_of_subject ON ${schema}.tasks (app, subject, created_at, task_id);
`;
}

/** The journals of tasks. Releases that know nothing of them leave tasks with a journal here to others. */
export function taskEntriesSql(schema: string): string {
  return `CREATE TABLE ${schema}.task_entries (app text COLLATE "C" NOT NULL, task_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL DEFAULT nextval('${schema}.numbers'), entry text NOT NULL,
  PRIMARY KEY (app, task_id, number),
  FOREIGN KEY (app, task_id) REFERENCES ${schema}.tasks (app, task_id) ON DELETE CASCADE);
`;
}

/**
 * To count all tasks for each new one would take longer the more there are. So an upper bound is kept of the tasks of each
 * subject (a name after a dot), of those without one, and of all: what expires or is deleted is not taken off, and where a
 * bound is reached, the tasks are counted. Then a hundredth of them makes room at once.
 */
export function addTaskSql(schema: string): string {
  return `CREATE TABLE ${schema}.task_counts (app text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
  at_most bigint NOT NULL, PRIMARY KEY (app, name));

CREATE OR REPLACE FUNCTION ${schema}.add_task(new_task ${schema}.tasks, total bigint, per_subject bigint, channel text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  now bigint;
  own_name text := coalesce('.' || new_task.subject, 'nobody');
  total_count bigint;
  own_count bigint;
  victims text[];
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('${schema} tasks ' || new_task.app, 0));
  now := ${schema}.clock();
${countTasksSql(schema)}  WHILE total_count >= total OR own_count >= per_subject LOOP
    victims := NULL;
    IF own_count < per_subject THEN
      SELECT array_agg(task_id) INTO victims FROM (SELECT task_id FROM (
          SELECT task_id, done, count(*) OVER (PARTITION BY subject) AS share,
            row_number() OVER (PARTITION BY subject ORDER BY done NULLS LAST) AS place
          FROM ${schema}.tasks t WHERE t.app = new_task.app AND t.expires_at > now) shared
        WHERE done IS NOT NULL AND place <= share - own_count
        ORDER BY share DESC, done LIMIT greatest(1, total / 100)) chosen;
      total_count := total_count - coalesce(cardinality(victims), 0);
    END IF;
    IF victims IS NULL THEN
      SELECT array_agg(task_id) INTO victims FROM (SELECT t.task_id FROM ${schema}.tasks t
        WHERE t.app = new_task.app AND t.subject IS NOT DISTINCT FROM new_task.subject
          AND t.done IS NOT NULL AND t.expires_at > now ORDER BY t.done LIMIT greatest(1, per_subject / 100)) own;
      total_count := total_count - coalesce(cardinality(victims), 0);
      own_count := own_count - coalesce(cardinality(victims), 0);
    END IF;
    IF victims IS NULL THEN RETURN false; END IF;
    DELETE FROM ${schema}.tasks t WHERE t.app = new_task.app AND t.task_id = ANY(victims);
    PERFORM pg_notify(channel, 't0:' || victim) FROM unnest(victims) victim;
  END LOOP;
  DELETE FROM ${schema}.tasks t WHERE t.app = new_task.app AND t.task_id = new_task.task_id;
  INSERT INTO ${schema}.tasks SELECT new_task.app, new_task.task_id, new_task.subject, new_task.version,
    new_task.created_at, now, new_task.done, new_task.record, now + new_task.expires_at;
  INSERT INTO ${schema}.task_counts VALUES
    (new_task.app, 'all', total_count + 1), (new_task.app, own_name, own_count + 1)
    ON CONFLICT (app, name) DO UPDATE SET at_most = excluded.at_most;
  PERFORM pg_notify(channel, 't0:' || new_task.task_id);
  RETURN true;
END $$;
`;
}

function countTasksSql(schema: string): string {
  return `  SELECT max(at_most) FILTER (WHERE name = 'all'), max(at_most) FILTER (WHERE name = own_name)
    INTO total_count, own_count FROM ${schema}.task_counts c
    WHERE c.app = new_task.app AND c.name IN ('all', own_name);
  IF total_count IS NULL OR total_count >= total THEN
    SELECT count(*) INTO total_count FROM ${schema}.tasks t WHERE t.app = new_task.app AND t.expires_at > now;
    DELETE FROM ${schema}.task_counts c WHERE c.app = new_task.app AND c.name LIKE '.%' AND c.name <> own_name
      AND NOT EXISTS (SELECT FROM ${schema}.tasks t WHERE t.app = c.app AND t.subject = substr(c.name, 2));
  END IF;
  -- Who has more than the caller makes room where all are too many: then what has expired must not count for its own
  IF own_count IS NULL OR own_count >= per_subject OR total_count >= total THEN
    IF new_task.subject IS NULL THEN
      SELECT count(*) INTO own_count FROM ${schema}.tasks t
        WHERE t.app = new_task.app AND t.subject IS NULL AND t.expires_at > now;
    ELSE
      SELECT count(*) INTO own_count FROM ${schema}.tasks t
        WHERE t.app = new_task.app AND t.subject = new_task.subject AND t.expires_at > now;
    END IF;
  END IF;
`;
}

/**
 * Finds a task, and changes one that has the version before. In functions, because the server plans what a function does once
 * for a connection, and a statement each time: that took longer than to run it.
 */
export function taskFunctionsSql(schema: string): string {
  return `CREATE OR REPLACE FUNCTION ${schema}.find_task(of_app text, of_id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT t.record FROM ${schema}.tasks t
    WHERE t.app = of_app AND t.task_id = of_id AND t.expires_at > ${schema}.clock());
END $$;

CREATE OR REPLACE FUNCTION ${schema}.update_task(of_app text, of_id text, new_version bigint, new_record text, lifetime bigint,
  is_done boolean, channel text, entries text[]) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${schema}.tasks t SET version = new_version, record = new_record, expires_at = t.added_at + lifetime,
      done = CASE WHEN is_done THEN coalesce(t.done, nextval('${schema}.numbers')) END
    WHERE t.app = of_app AND t.task_id = of_id AND t.version = new_version - 1 AND t.expires_at > ${schema}.clock();
  IF NOT FOUND THEN RETURN false; END IF;
  IF is_done THEN
    DELETE FROM ${schema}.task_entries e WHERE e.app = of_app AND e.task_id = of_id;
  ELSIF cardinality(entries) > 0 THEN
    INSERT INTO ${schema}.task_entries (app, task_id, entry) SELECT of_app, of_id, added.entry
      FROM unnest(entries) WITH ORDINALITY AS added (entry, place) ORDER BY added.place;
  END IF;
  PERFORM pg_notify(channel, 't0:');
  RETURN true;
END $$;
`;
}
