import { SchoolType } from '#schemas/dictionaries'
import type { Demo } from './exams.ts'
import { units } from './units.ts'

/** Units as rows of the tenant's dictionary, and graduate schools to choose from. */
export async function makeLookups({ db, tenantId, staff, now }: Demo): Promise<void> {
  const heading = await db
    .selectFrom('dict_biz')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('code', '=', 'recruit_unit')
    .where('dictKey', '=', '-1')
    .executeTakeFirstOrThrow()
  const stamp = { tenantId, createUser: staff.kaowu, createTime: now, updateTime: now }
  await db
    .insertInto('dict_biz')
    .values(
      units.map(([dictKey, dictValue], i) => ({
        ...stamp,
        code: 'recruit_unit',
        parentId: heading.id,
        dictKey,
        dictValue,
        sort: i + 1,
      })),
    )
    .execute()
  const types = [
    ['01', '临床'],
    ['02', '护理'],
    ['03', '药学'],
    ['04', '检验'],
    ['05', '影像'],
    ['06', '公卫'],
    ['07', '管理'],
    ['08', '其他专技'],
  ] as const
  await db
    .insertInto('typecode')
    .values(types.map(([type, typeName], i) => ({ ...stamp, type, typeName, typeCode: type, sort: i + 1 })))
    .execute()
  const schools = [
    '福建医科大学',
    '福建中医药大学',
    '厦门大学',
    '福州大学',
    '南昌大学',
    '武汉大学',
    '复旦大学',
    '浙江大学',
    '中山大学',
    '泉州医学高等专科学校',
    '漳州卫生职业学院',
  ]
  await db
    .insertInto('school')
    .values(
      schools.map((schoolName, i) => ({
        ...stamp,
        schoolName,
        schoolCode: `1${String(i + 1).padStart(4, '0')}`,
        schoolType: SchoolType.college,
      })),
    )
    .execute()
}
