import type { FastifyInstance, FastifyRequest } from 'fastify'
import { user } from '#resources/system/user'
import { person } from '../access.ts'
import type { Applicant } from '../actions/user/applicant.ts'
import {
  changePassword,
  changeProfile,
  type PasswordChange,
  type ProfileChange,
  readProfile,
} from '../actions/user/profile.ts'
import {
  addCandidate,
  type PictureField,
  pictureFields,
  type Registration,
  register,
} from '../actions/user/register.ts'
import { submit } from '../crud/store.ts'
import { refuse } from '../domain/refusal.ts'
import { ok } from '../plugins/envelope.ts'
import { answerTokenError } from './token-error.ts'

const path = '/api/blade-system/user'

const text = (title: string, maxLength: number) => ({ type: 'string', title, maxLength })

const profile = {
  type: 'object',
  properties: {
    ...{ name: text('昵称', 20), realName: text('真实姓名', 20), phone: text('手机号码', 20) },
    email: { title: '电子邮箱', anyOf: [{ enum: ['', null] }, { ...text('电子邮箱', 100), format: 'email' }] },
    avatar: text('头像', 20),
  },
}

const cipherText = (title: string) => ({ ...text(title, 4096), minLength: 1, kind: 'secret' })
const passwords = {
  type: 'object',
  required: ['oldPassword', 'newPassword', 'newPassword1'],
  properties: {
    ...{ oldPassword: cipherText('原密码'), newPassword: cipherText('新密码'), newPassword1: cipherText('确认密码') },
    keyId: text('密钥', 40),
  },
}

/** Everything a registration carries: form fields of any kind, and pictures. */
async function readForm(request: FastifyRequest) {
  const fields: Record<string, string> = {}
  const files: { field: PictureField; bytes: Buffer; filename: string }[] = []
  if (!request.isMultipart()) return { fields: (request.body ?? {}) as Record<string, string>, files }
  for await (const part of request.parts({ limits: { files: 3, fileSize: 5 * 1024 * 1024 } })) {
    if (part.type === 'field') fields[part.fieldname] = String(part.value ?? '')
    else if (part.fieldname in pictureFields) {
      const bytes = await part.toBuffer().catch(() => {
        throw refuse(28002, { n: 5120 })
      })
      if (bytes.length > 0) files.push({ field: part.fieldname as PictureField, bytes, filename: part.filename })
    } else part.file.resume()
  }
  return { fields, files }
}

const idTypes = [1, 2, 3, 4, 5] as const

function applicantOf(fields: Record<string, unknown>): Applicant {
  const read = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '').slice(0, 200)
  const idType = idTypes.find(one => one === Number(fields.idType || 1))
  if (!idType) throw refuse(29005, { 说明: '证件类型不正确' })
  return {
    username: read('username') || read('account'),
    ...{ realName: read('realName'), phone: read('phone'), idType, idCard: read('idCard') },
  }
}

async function readRegistration(request: FastifyRequest): Promise<Registration> {
  const { fields, files } = await readForm(request)
  const tenant = request.headers['tenant-id']
  const read = (name: string) => (typeof fields[name] === 'string' ? fields[name] : String(fields[name] ?? ''))
  return {
    ...applicantOf(fields),
    tenantId: read('tenantId') || (typeof tenant === 'string' && tenant) || '000000',
    ...{ password: read('password'), password2: read('password2'), keyId: read('keyId') || undefined },
    ...{ consentVersion: read('consentVersion').slice(0, 20), ip: request.ip, files },
  }
}

/** Service `blade-system/user`, as far as it is no resource: one's own data, and registration. */
export default async function userRoutes(app: FastifyInstance): Promise<void> {
  const signedIn = { access: 'signed-in' } as const
  const early = { ...signedIn, beforePasswordChange: true } as const

  app.get(`${path}/info`, { config: early }, async request => ok(await readProfile(app, person(request))))
  app.post<{ Body: ProfileChange }>(
    `${path}/update-info`,
    { config: signedIn, schema: { body: profile } },
    async request => ok(await changeProfile(app, person(request), request.body)),
  )
  const fromAddress = async (request: FastifyRequest) => {
    // Older clients put everything into the address.
    request.body = { ...(request.query as object), ...(request.body as object | undefined) }
  }
  app.post<{ Body: PasswordChange }>(
    `${path}/update-password`,
    { config: early, schema: { body: passwords }, preValidation: fromAddress },
    async request => {
      await changePassword(app, person(request), request.body)
      return ok()
    },
  )
  app.post(`${path}/register`, { config: { access: 'public' }, errorHandler: answerTokenError }, async request =>
    ok(await register(app, await readRegistration(request))),
  )
  app.post(`${path}/update`, { config: { access: { permission: 'user_edit' } } }, async request => {
    const body = (request.body ?? {}) as Record<string, unknown>
    if (!body.id) throw refuse(29001)
    await submit(request, user, body)
    return ok()
  })
  app.post(`${path}/saveUser`, { config: { access: { permission: ['user_add', 'examuser_add'] } } }, async request => {
    const { fields } = await readForm(request)
    return ok(await addCandidate(app, person(request), applicantOf(fields)))
  })
}
