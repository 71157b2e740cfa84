-- CreateTable
CREATE TABLE "blog_posts" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "title" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "summary" TEXT,
    "pinned" BOOLEAN NOT NULL DEFAULT false,
    "featured" BOOLEAN,
    "reading_minutes" INTEGER NOT NULL,
    "score" INTEGER NOT NULL DEFAULT -1,
    "rating" REAL,
    "price" DECIMAL NOT NULL DEFAULT 9.90,
    "discount" DECIMAL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "mood" TEXT,
    "created_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'))),
    "updated_at" DATETIME NOT NULL DEFAULT ((strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')))
);

-- CreateIndex
CREATE UNIQUE INDEX "blog_posts_slug_key" ON "blog_posts"("slug");

-- CreateIndex
CREATE INDEX "blog_posts_title_idx" ON "blog_posts"("title");

-- CreateIndex
CREATE INDEX "blog_posts_status_idx" ON "blog_posts"("status");

-- CreateIndex
CREATE INDEX "blog_posts_pinned_created_at_id_idx" ON "blog_posts"("pinned", "created_at", "id");

-- CreateIndex
CREATE INDEX "blog_posts_featured_created_at_id_idx" ON "blog_posts"("featured", "created_at", "id");

-- CreateIndex
CREATE INDEX "blog_posts_created_at_id_idx" ON "blog_posts"("created_at", "id");
