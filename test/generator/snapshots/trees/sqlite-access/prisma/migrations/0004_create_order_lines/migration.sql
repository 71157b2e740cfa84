-- CreateTable
CREATE TABLE "order_lines" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "order_id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    CONSTRAINT "order_lines_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "order_lines_order_id_created_at_id_idx" ON "order_lines"("order_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "order_lines_created_at_id_idx" ON "order_lines"("created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "order_lines_order_id_count_key" ON "order_lines"("order_id", "count");
