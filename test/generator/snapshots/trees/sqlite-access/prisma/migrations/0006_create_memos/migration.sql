-- CreateTable
CREATE TABLE "memos" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "order_id" INTEGER NOT NULL,
    "author_id" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    CONSTRAINT "memos_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "memos_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "memos_order_id_created_at_id_idx" ON "memos"("order_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "memos_author_id_created_at_id_idx" ON "memos"("author_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "memos_created_at_id_idx" ON "memos"("created_at", "id");
