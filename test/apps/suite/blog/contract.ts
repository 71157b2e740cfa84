import type { Contract } from '../contract.ts'
import { register, registerPath, registration } from './caller.ts'
import { imageForm, upload, urlOf } from './form.ts'
import { comments, posts, tags } from './resources.ts'

/** The routes of the blog, from the section "Blog application" of the contract. */
export const blogContract: Contract = {
  routes: [
    { path: '/health', methods: ['GET'] },
    { path: '/ready', methods: ['GET'] },
    { path: '/openapi.json', methods: ['GET'] },
    { path: '/api/v1/auth/register', methods: ['POST'] },
    { path: '/api/v1/auth/login', methods: ['POST'] },
    { path: '/api/v1/posts', methods: ['GET', 'POST'] },
    { path: '/api/v1/posts/{id}', methods: ['GET', 'PUT', 'PATCH', 'DELETE'] },
    { path: '/api/v1/posts/{id}/publish', methods: ['POST'] },
    { path: '/api/v1/comments', methods: ['GET', 'POST'] },
    { path: '/api/v1/comments/{id}', methods: ['GET', 'PUT', 'PATCH', 'DELETE'] },
    { path: '/api/v1/tags', methods: ['GET', 'POST'] },
    { path: '/api/v1/tags/{id}', methods: ['GET', 'PUT', 'PATCH', 'DELETE'] },
    { path: '/api/v1/uploads', methods: ['POST'] },
    { path: '/uploads/{name}', methods: ['GET'] },
  ],
  resources: [tags, posts, comments],
  requests: {
    'POST /api/v1/auth/register': async () => ({
      method: 'POST',
      path: registerPath,
      json: registration(),
    }),
    'POST /api/v1/uploads': async (app) => ({
      method: 'POST',
      path: '/api/v1/uploads',
      ...imageForm('a.png'),
      headers: { ...(await register(app)).app.headers, ...imageForm('a.png').headers },
    }),
    'GET /uploads/{name}': async (app) => {
      const { app: caller } = await register(app)
      return { path: urlOf(await upload(caller, imageForm('a.png'))) }
    },
  },
}
