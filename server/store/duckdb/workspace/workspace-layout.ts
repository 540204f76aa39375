import type { Migrations } from '../engine/migrate.ts'

/** The layout of the workspace: failures, settings and other data, but no events. Times are in milliseconds. */
export const workspaceLayout: Migrations = [
  [
    // All fingerprints ever seen, so that a failure is new only once.
    `CREATE TABLE failure (
      fingerprint VARCHAR PRIMARY KEY,
      state VARCHAR NOT NULL,
      state_ms BIGINT,
      resolved_ms BIGINT,
      fixed_release VARCHAR,
      old_releases VARCHAR,
      after_id BIGINT,
      returned_release VARCHAR,
      returned_ms BIGINT
    )`,
    `CREATE TABLE note (
      id VARCHAR PRIMARY KEY,
      fingerprint VARCHAR NOT NULL,
      written_ms BIGINT NOT NULL,
      text VARCHAR NOT NULL
    )`,
    // The id of the last event that each background scan has processed.
    'CREATE TABLE progress (reader VARCHAR PRIMARY KEY, last_id BIGINT NOT NULL)',
    // The contents are stored as files; see source-map-tables.ts.
    `CREATE TABLE source_map (
      id VARCHAR PRIMARY KEY,
      release VARCHAR NOT NULL,
      path VARCHAR NOT NULL,
      debug_id VARCHAR,
      size_bytes BIGINT NOT NULL,
      uploaded_ms BIGINT NOT NULL,
      is_applied BOOLEAN NOT NULL
    )`,
    `CREATE TABLE webhook (
      id VARCHAR PRIMARY KEY,
      name VARCHAR NOT NULL,
      url VARCHAR NOT NULL,
      secret VARCHAR NOT NULL,
      conditions VARCHAR NOT NULL,
      created_ms BIGINT NOT NULL
    )`,
    `CREATE TABLE delivery (
      id VARCHAR PRIMARY KEY,
      webhook_id VARCHAR NOT NULL,
      kind VARCHAR NOT NULL,
      subject VARCHAR NOT NULL,
      body VARCHAR NOT NULL,
      created_ms BIGINT NOT NULL,
      attempts INTEGER NOT NULL,
      next_ms BIGINT,
      status INTEGER,
      problem VARCHAR,
      ended_ms BIGINT
    )`,
    `CREATE TABLE token (
      id VARCHAR PRIMARY KEY,
      name VARCHAR NOT NULL,
      hash VARCHAR NOT NULL,
      created_ms BIGINT NOT NULL
    )`,
    `CREATE TABLE saved_search (
      id VARCHAR PRIMARY KEY,
      name VARCHAR NOT NULL,
      view VARCHAR NOT NULL,
      created_ms BIGINT NOT NULL
    )`,
    'CREATE TABLE setting (name VARCHAR PRIMARY KEY, value VARCHAR NOT NULL, changed_ms BIGINT NOT NULL)',
  ],
  // When source maps change the fingerprint of a failure, links to the old fingerprint still work.
  ['CREATE TABLE failure_move (fingerprint VARCHAR PRIMARY KEY, moved_to VARCHAR NOT NULL)'],
  // Existing maps have no service, so any service may use them.
  ['ALTER TABLE source_map ADD COLUMN service VARCHAR'],
  // A failure's id is its first fingerprint. Other fingerprints can be added.
  [
    // All fingerprints ever seen, so that a failure is new only once.
    'CREATE TABLE failure_fingerprint (fingerprint VARCHAR PRIMARY KEY, failure_id VARCHAR NOT NULL)',
    `INSERT INTO failure_fingerprint
      SELECT fingerprint, coalesce(moved_to, fingerprint) FROM failure LEFT JOIN failure_move USING (fingerprint)`,
    'INSERT INTO failure_fingerprint FROM failure_move ON CONFLICT DO NOTHING',
    `INSERT INTO failure_fingerprint SELECT DISTINCT moved_to, moved_to FROM failure_move ON CONFLICT DO NOTHING`,
    // Failures without a row are open.
    `CREATE TABLE failure_state (
      failure_id VARCHAR PRIMARY KEY,
      state VARCHAR NOT NULL,
      state_ms BIGINT NOT NULL,
      resolved_ms BIGINT,
      fixed_release VARCHAR,
      old_releases VARCHAR,
      after_id BIGINT,
      returned_release VARCHAR,
      returned_ms BIGINT
    )`,
    `INSERT INTO failure_state
      FROM failure WHERE state_ms IS NOT NULL AND fingerprint NOT IN (SELECT fingerprint FROM failure_move)`,
    'ALTER TABLE note RENAME fingerprint TO failure_id',
    'DROP TABLE failure',
    'DROP TABLE failure_move',
  ],
  // Similar fingerprints in newer releases join a failure, and users can merge and split failures.
  [
    `CREATE TABLE failure_signature (
      fingerprint VARCHAR PRIMARY KEY,
      service VARCHAR NOT NULL,
      release VARCHAR,
      subject VARCHAR NOT NULL,
      frames VARCHAR NOT NULL,
      seen_ms BIGINT NOT NULL,
      replaces VARCHAR
    )`,
    // The id of the failure to which a fingerprint belonged before a manual merge.
    'ALTER TABLE failure_fingerprint ADD COLUMN merged_from VARCHAR',
    // Pairs of failures that were split manually. Each failure is identified by one of its fingerprints.
    'CREATE TABLE failure_split (fingerprint VARCHAR, other VARCHAR, PRIMARY KEY (fingerprint, other))',
  ],
  // When a muted failure reopens; NULL if it does not reopen automatically.
  ['ALTER TABLE failure_state ADD COLUMN until_ms BIGINT'],
  // Permissions and the audit log. A token's scopes and services are JSON arrays.
  [
    // The scopes of existing tokens.
    `ALTER TABLE token ADD COLUMN scopes VARCHAR DEFAULT '["ingest","source-maps"]'`,
    'ALTER TABLE token ADD COLUMN services VARCHAR',
    'ALTER TABLE token ADD COLUMN expires_ms BIGINT',
    'ALTER TABLE token ADD COLUMN used_ms BIGINT',
    'ALTER TABLE note ADD COLUMN author VARCHAR',
    'ALTER TABLE failure_state ADD COLUMN state_by VARCHAR',
    `CREATE TABLE audit (
      id VARCHAR PRIMARY KEY,
      at_ms BIGINT NOT NULL,
      user_name VARCHAR,
      action VARCHAR NOT NULL,
      details VARCHAR NOT NULL
    )`,
    // Sessions whose users signed out, until the sessions expire.
    'CREATE TABLE ended_session (id VARCHAR PRIMARY KEY, until_ms BIGINT NOT NULL)',
  ],
  // The fingerprint that another fingerprint follows, so that the reports of browsers stay with the server's failure.
  ['ALTER TABLE failure_fingerprint ADD COLUMN follows VARCHAR'],
]
