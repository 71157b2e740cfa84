-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "name" VARCHAR(255) COLLATE "C" NOT NULL,
    "email" VARCHAR(254) COLLATE "C" NOT NULL,
    "password_hash" VARCHAR(255) COLLATE "C" NOT NULL,
    "role" VARCHAR(64) COLLATE "C" NOT NULL DEFAULT 'user',
    "token_version" INTEGER NOT NULL DEFAULT 0,
    "kept_token" VARCHAR(255) COLLATE "C",
    "revoked_tokens" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");
