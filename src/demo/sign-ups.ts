import { sql } from 'kysely'
import type { Dictionary } from '#engine'
import {
  degree,
  ExamineMode,
  ExamineStatus,
  education,
  ReviewStatus,
  SignAction,
  SignStatus,
} from '#schemas/dictionaries'
import { builtinItems } from '../modules/exams/rules/builtin-items.ts'
import { precheck } from '../modules/exams/rules/sign-rules.ts'
import { storedAnswers } from '../modules/sign-up/rules/answers.ts'
import { sealedColumns, type Vault } from './accounts.ts'
import type { Demo, DemoExam } from './exams.ts'
import { type Attachment, attach, type Drawn } from './files.ts'
import type { Person } from './people.ts'
import { chance, pick } from './random.ts'
import type { DemoPosition } from './units.ts'

const words = ({ entries }: Dictionary<string>) => Object.entries(entries).map(([key, value]) => ({ key, value }))

/** The words of the pre-check. */
const labels = { education: words(education), degree: words(degree) }

/** Where a sign-up of the demonstration stands. */
export type Standing = 'draft' | 'waiting' | 'passed' | 'refused' | 'returned' | 'given up'

/** What the drawn pictures are, by kind of paper. */
export interface Pictures {
  photos: readonly Drawn[]
  papers: Readonly<Record<'idCard' | 'diploma' | 'certificate', Drawn>>
}

/** A candidate with the account. */
export interface Candidate extends Person {
  userId: string
  n: number
}

/** A sign-up that was made. */
export interface MadeSignup {
  id: string
  standing: Standing
  candidate: Candidate
}

const schools = [
  '福建医科大学',
  '福建中医药大学',
  '厦门大学',
  '南昌大学',
  '泉州医学高等专科学校',
  '漳州卫生职业学院',
  '福州大学',
  '武汉大学',
]

/** A plausible answer to every field of the demonstration's form. */
function contentOf(one: Candidate, position: DemoPosition, now: Date): Record<string, unknown> {
  const random = chance(one.n * 31 + 5)
  const year = now.getUTCFullYear()
  const graduated = Math.min(year, Number(one.birthday.slice(0, 4)) + 22 + Math.floor(random() * 2))
  const fresh = graduated >= year
  const region = [one.district.slice(0, 2), one.district.slice(0, 4), one.district]
  const major = position.majors.split('、')[0] || '公共事业管理'
  const education = random() < 0.12 ? '20' : position.education
  const school = pick(schools, random)
  const study = { start: `${graduated - 4}-09`, end: `${graduated}-06`, school, major, education }
  const work = { start: `${graduated}-08`, unit: '清源市第二医院', duty: position.name }
  return {
    nation: random() < 0.9 ? '01' : '22',
    politics: pick(['01', '03', '13'], random),
    householdRegion: region,
    address: `清源区${pick(['东街', '西门', '南塘', '望湖'], random)}路${1 + (one.n % 200)}号`,
    email: `user${one.n}@example.com`,
    education,
    degree: education === '20' ? '2' : '3',
    school,
    major,
    graduateDate: `${graduated}-06`,
    freshGraduate: fresh ? '1' : '0',
    studies: [study],
    ...(fresh ? {} : { workStart: work.start, workUnit: work.unit, jobs: [work] }),
    title: fresh ? '9' : '4',
    certificates: position.certificate ?? '',
    relatives: [{ name: '家属', relation: '父亲', work: '退休' }],
  }
}

const reviewed = {
  passed: ExamineStatus.approved,
  refused: ExamineStatus.rejected,
  returned: ExamineStatus.returned,
}
const opinions = { passed: '', refused: '所学专业不符合岗位要求', returned: '毕业证书不清晰，请重新上传' } as const

/** The columns that say how far a sign-up has come. */
function stateOf(standing: Standing, exam: DemoExam, { staff, now }: Demo, submitted: Date) {
  const at = new Date(Math.min(now.getTime() - 600_000, submitted.getTime() + 86_400_000))
  const isReviewed = standing === 'passed' || standing === 'refused' || standing === 'returned'
  const review = isReviewed
    ? {
        examine: reviewed[standing],
        examineRemark: opinions[standing] || null,
        examineTime: at,
        examineUser: staff.chushen,
      }
    : {}
  const second =
    standing === 'passed' && exam.mode === ExamineMode.firstAndSecond
      ? {
          reviewStatus: ReviewStatus.approved,
          reviewTime: new Date(at.getTime() + 3_600_000),
          reviewUser: staff.fushen,
        }
      : {}
  const signStatus =
    standing === 'draft' ? SignStatus.draft : standing === 'given up' ? SignStatus.withdrawn : SignStatus.submitted
  return { signStatus, ...review, ...second }
}

/** The place among the exam's applicants decides the standing, so that every spread has the same shape. */
function standingOf(exam: DemoExam, i: number): Standing {
  if (exam.code.startsWith('QY'))
    return (
      (
        [
          'waiting',
          'passed',
          'waiting',
          'returned',
          'waiting',
          'passed',
          'refused',
          'waiting',
          'draft',
          'passed',
          'waiting',
          'given up',
        ] as const
      )[i % 12] ?? 'waiting'
    )
  return i % 14 === 13 ? 'refused' : 'passed'
}

/** One applicant of an exam: who, how far, and for which position. */
interface Applicant {
  candidate: Candidate
  standing: Standing
  position: DemoPosition
  /** Place among the exam's applicants, from 0. */
  i: number
}

/** The three files of an applicant: photo, ID card, diploma. */
const filesOf = ({ candidate: { n, userId } }: Applicant, { photos, papers }: Pictures): Attachment[] => [
  { drawn: photos[n % photos.length] as Drawn, name: '证件照.jpg', ownerType: 'photo', userId },
  { drawn: papers.idCard, name: '身份证.jpg', ownerType: 'signup', userId },
  { drawn: papers.diploma, name: '毕业证书.jpg', ownerType: 'signup', userId },
]

/** The answers and what the pre-check says of them. */
function answersOf({ candidate, position }: Applicant, exam: DemoExam, now: Date) {
  const content = contentOf(candidate, position, now)
  const rules = {
    eduReq: position.education,
    degreeReq: position.degree || null,
    majorReq: position.majors || null,
    ageMax: 40,
    certReq: position.certificate,
  }
  const times = { ageBaseDate: `${now.getUTCFullYear()}-01-01`, signEndTime: exam.times.signEndTime as Date }
  const { birthday, sex } = candidate
  const found = precheck(rules, { birthday, sex }, content, times, labels)
  return {
    ...storedAnswers(builtinItems, content),
    content: JSON.stringify(content),
    precheck: JSON.stringify(found),
  }
}

/** The position chosen, which is the final one too as nobody has been moved. */
const choiceOf = ({ code, type, unit }: DemoPosition) => ({
  code,
  type,
  unit,
  finalCode: code,
  finalType: type,
  finalUnit: unit,
})

const fileCodes = ['photo', 'idCard', 'diploma'] as const

/** A sign-up as it is written. */
function rowOf(demo: Demo, vault: Vault, exam: DemoExam, one: Applicant, files: readonly Attachment[], ids: string[]) {
  const { candidate, standing, position, i } = one
  const { tenantId, now } = demo
  const submitted = new Date((exam.times.signStartTime as Date).getTime() + ((i % 97) + 1) * 2_400_000)
  const time = submitted < now ? submitted : new Date(now.getTime() - 3_600_000)
  const isDraft = standing === 'draft'
  const lists = fileCodes.map((fileCode, at) => ({
    fileCode,
    list: [{ attachId: ids[at], name: files[at]?.name, size: files[at]?.drawn.size, ext: 'jpg' }],
  }))
  const { userId, name, sex, birthday, district } = candidate
  return {
    ...sealedColumns(vault, tenantId, candidate),
    ...stateOf(standing, exam, demo, time),
    ...choiceOf(position),
    ...answersOf(one, exam, now),
    tenantId,
    examId: exam.id,
    userId,
    name,
    sex,
    birthday,
    photo: ids[0] as string,
    province: district.slice(0, 2),
    city: district.slice(0, 4),
    area: district,
    files: JSON.stringify(lists),
    signNo: `${exam.code}${String(i + 1).padStart(6, '0')}`,
    submitTime: isDraft ? null : time,
    submitCount: isDraft ? 0 : 1,
    consentTime: isDraft ? null : time,
    adjustAccept: (i % 3 === 0 ? 1 : 0) as 0 | 1,
    createUser: userId,
    createTime: time,
    updateTime: time,
    version: 1,
  }
}

/** Makes one exam's sign-ups, with photos and papers. */
export async function makeSignups(
  demo: Demo,
  vault: Vault,
  exam: DemoExam,
  candidates: readonly Candidate[],
  pictures: Pictures,
): Promise<MadeSignup[]> {
  const { db, tenantId, now } = demo
  const chosen = candidates.map((candidate, i): Applicant => {
    const position = exam.positions[(i * 7) % exam.positions.length] as DemoPosition
    return { candidate, i, position, standing: standingOf(exam, i) }
  })
  const wanted = chosen.map(one => filesOf(one, pictures))
  const ids = await attach(db, tenantId, now, wanted.flat())
  const rows = chosen.map((one, i) => rowOf(demo, vault, exam, one, wanted[i] ?? [], ids.slice(i * 3, i * 3 + 3)))
  const made: { id: string }[] = []
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500)
    made.push(...(await db.insertInto('signup').values(some).returning('id').execute()))
  }
  const signups = chosen.map(({ candidate, standing }, i) => ({ id: made[i]!.id, standing, candidate }))
  await logSubmits(
    demo,
    signups,
    rows.map(row => row.createTime),
  )
  await ownFiles(db, signups, ids)
  await db.insertInto('sign_serial').values({ examId: exam.id, last: rows.length }).execute()
  // Where many candidates are asked for, the one position with a limit takes all who were dealt to it, and is full.
  await sql`UPDATE examitems p SET "maxSignup" = r.taken FROM place_rows(${exam.id}) r
    WHERE p."examId" = ${exam.id} AND p.code = r.code AND p."maxSignup" < r.taken`.execute(db)
  return signups
}

/** Three files in a row belong to one sign-up, so that whoever may see it may see them. */
async function ownFiles(db: Demo['db'], signups: readonly MadeSignup[], files: readonly string[]): Promise<void> {
  const owners = files.map((_, i) => signups[Math.floor(i / 3)]!.id)
  await sql`update attach set "ownerId" = one.owner
    from unnest(${files}::bigint[], ${owners}::bigint[]) as one (id, owner) where attach.id = one.id`.execute(db)
}

/** The history a candidate sees begins with the submit. */
async function logSubmits(
  { db, tenantId }: Demo,
  signups: readonly MadeSignup[],
  times: readonly Date[],
): Promise<void> {
  const rows = signups.flatMap(({ id, standing, candidate }, i) =>
    standing === 'draft'
      ? []
      : [
          {
            tenantId,
            signupId: id,
            action: SignAction.submit,
            diff: '[]',
            consentVersion: '1.0',
            userId: candidate.userId,
            time: times[i] as Date,
            createTime: times[i] as Date,
          },
        ],
  )
  for (let at = 0; at < rows.length; at += 3000)
    await db
      .insertInto('signuplog')
      .values(rows.slice(at, at + 3000))
      .execute()
}
