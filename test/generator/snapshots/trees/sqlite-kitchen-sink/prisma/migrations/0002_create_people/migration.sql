-- CreateTable
CREATE TABLE "people" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "email" TEXT NOT NULL,
    "born" DATETIME,
    "joined" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT00:00:00.000+00:00', 'now'))),
    "seen" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "locked" DATETIME,
    "since" DATETIME NOT NULL DEFAULT '2026-01-31T12:00:00.000+00:00',
    "token" TEXT NOT NULL,
    "device" TEXT,
    "settings" JSONB NOT NULL DEFAULT '{"theme":"dark","tabs":[1,2]}',
    "profile" JSONB NOT NULL,
    "extra" JSONB,
    "order" INTEGER NOT NULL,
    "group" TEXT NOT NULL DEFAULT 'it''s',
    "class" TEXT,
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')))
);

-- CreateIndex
CREATE UNIQUE INDEX "people_email_key" ON "people"("email");

-- CreateIndex
CREATE UNIQUE INDEX "people_token_key" ON "people"("token");

-- CreateIndex
CREATE INDEX "people_created_at_id_idx" ON "people"("created_at", "id");
