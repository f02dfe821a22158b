/** An id in a request: a positive 64-bit number as text. */
export const id = { type: 'string', pattern: '^([1-9][0-9]{0,17}|[1-8][0-9]{18})$' } as const

const word = (maxLength: number) => ({ type: 'string', maxLength }) as const

/** A query of exactly these parameters; the first ones may be required. */
export const query = (properties: Record<string, object>, required: readonly string[] = []) => ({
  querystring: { type: 'object', additionalProperties: false, properties, required },
})

/** A body of exactly these fields. */
export const body = (properties: Record<string, object>, required: readonly string[] = []) => ({
  body: { type: 'object', additionalProperties: false, properties, required },
})

/** Which part of a list; 0 means the default, as clients of Blade send it. */
export const paging = {
  current: { type: 'integer', minimum: 0, maximum: 1_000_000 },
  size: { type: 'integer', minimum: 0, maximum: 500 },
} as const

const slot = {
  type: 'object',
  additionalProperties: true,
  required: ['fileCode', 'list'],
  properties: {
    fileCode: word(50),
    list: {
      type: 'array',
      maxItems: 50,
      items: { type: 'object', required: ['attachId'], properties: { attachId: id } },
    },
  },
}

const flag = { type: 'integer', enum: [0, 1] } as const

const sheet = {
  id,
  examId: { ...id, title: '考试' },
  draft: flag,
  unit: word(30),
  type: word(30),
  code: word(30),
  unit2: word(30),
  type2: word(30),
  code2: word(30),
  adjustAccept: flag,
  province: word(12),
  city: word(12),
  area: word(12),
  content: { type: 'object' },
  files: { type: 'array', maxItems: 50, items: slot },
  consentVersion: word(10),
  version: { type: 'integer' },
}

/** What a candidate may send of a sign-up; everything else is the server's. */
export const submitBody = body(sheet, ['examId'])

/** A printed form is asked for by the id of a sign-up, or for what is being filled in. */
export const printBody = {
  body: { ...body({ ...sheet, signupId: id }).body, anyOf: [{ required: ['signupId'] }, { required: ['examId'] }] },
}

export const examQuery = query({ ...paging, examName: word(100), examType: word(64) })
export const precheckBody = body({ examId: id, unit: word(30), code: word(30), content: { type: 'object' } }, [
  'examId',
  'code',
])
export const leaveBody = body({ id, reason: word(500) }, ['id'])
