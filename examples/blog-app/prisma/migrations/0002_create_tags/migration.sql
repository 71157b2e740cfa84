-- CreateTable
CREATE TABLE "tags" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')))
);

-- CreateIndex
CREATE UNIQUE INDEX "tags_slug_key" ON "tags"("slug");

-- CreateIndex
CREATE INDEX "tags_created_at_id_idx" ON "tags"("created_at", "id");
