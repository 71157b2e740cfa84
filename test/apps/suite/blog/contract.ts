import type { AppUnderTest } from '../check.ts'
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
    { path: '/api/v1/auth/me', methods: ['GET', 'DELETE'] },
    { path: '/api/v1/auth/password', methods: ['POST'] },
    { path: '/api/v1/auth/logout', methods: ['POST'] },
    { path: '/api/v1/auth/logout-all', methods: ['POST'] },
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
    'POST /api/v1/auth/password': async (app) => {
      const { app: caller, password } = await register(app)
      const json = { current: password, next: `${password}!` }
      return { method: 'POST', path: '/api/v1/auth/password', json, headers: { ...caller.headers } }
    },
    'DELETE /api/v1/auth/me': async (app) => {
      const { app: caller, password } = await register(app)
      const json = { password }
      return { method: 'DELETE', path: '/api/v1/auth/me', json, headers: { ...caller.headers } }
    },
    ...Object.fromEntries(
      ['logout', 'logout-all'].map((name) => [
        `POST /api/v1/auth/${name}`,
        async (app: AppUnderTest) => {
          const headers = { ...(await register(app)).app.headers }
          return { method: 'POST', path: `/api/v1/auth/${name}`, headers }
        },
      ]),
    ),
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
