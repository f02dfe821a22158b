import { FormInputType, SensitiveLevel } from '#schemas/dictionaries/sign-up'
import type { SignItem } from './sign-item.ts'

/**
 * A field of the library that every installation has. `groupName` is a key of dictionary `item_group`;
 * `sensitive` is 0 plain, 1 shown masked, 2 stored encrypted.
 */
export interface BuiltinItem extends SignItem {
  sensitive?: 0 | 1 | 2
}

type More = Partial<Omit<BuiltinItem, 'itemCode' | 'itemName' | 'inputType'>>

const item = (
  itemCode: string,
  itemName: string,
  kind: keyof typeof FormInputType,
  groupName: string,
  more: More = {},
): BuiltinItem => ({ itemCode, itemName, inputType: FormInputType[kind], groupName, span: 12, required: 0, ...more })

const column = (itemCode: string, itemName: string, kind: keyof typeof FormInputType, more: More = {}): SignItem => ({
  itemCode,
  itemName,
  inputType: FormInputType[kind],
  required: 1,
  ...more,
})

const basic = '1'
const schooling = '2'
const working = '3'
const qualification = '4'
const family = '5'

const studies: readonly SignItem[] = [
  column('start', '起始年月', 'month'),
  column('end', '终止年月', 'month', { required: 0 }),
  column('school', '学校', 'school'),
  column('major', '专业', 'text', { rules: { maxLength: 50 } }),
  column('education', '学历', 'select', { dictCode: 'education' }),
]

const jobs: readonly SignItem[] = [
  column('start', '起始年月', 'month'),
  column('end', '终止年月', 'month', { required: 0 }),
  column('unit', '工作单位', 'text', { rules: { maxLength: 100 } }),
  column('duty', '岗位与职务', 'text', { rules: { maxLength: 50 } }),
]

const relatives: readonly SignItem[] = [
  column('name', '姓名', 'text', { rules: { maxLength: 30 } }),
  column('relation', '关系', 'text', { rules: { maxLength: 20 } }),
  column('work', '工作单位及职务', 'text', { required: 0, rules: { maxLength: 100 } }),
  column('phone', '联系电话', 'phone', { required: 0 }),
]

/**
 * The library's own items, in order. The eligibility pre-check reads `education`, `degree`, `major`, `title`,
 * `certificates`, `freshGraduate`, `householdRegion`, `studentOrigin` and `workStart`; their codes are fixed.
 */
export const builtinItems: readonly BuiltinItem[] = [
  item('nation', '民族', 'select', basic, { required: 1, dictCode: 'nation' }),
  item('politics', '政治面貌', 'select', basic, { required: 1, dictCode: 'politics' }),
  item('marriage', '婚姻状况', 'select', basic, { dictCode: 'marriage' }),
  item('nativePlace', '籍贯', 'region', basic),
  item('householdRegion', '户籍所在地', 'region', basic, { required: 1 }),
  item('studentOrigin', '生源地', 'region', basic),
  item('address', '通讯地址', 'text', basic, {
    required: 1,
    span: 24,
    sensitive: SensitiveLevel.masked,
    rules: { maxLength: 200 },
  }),
  item('email', '电子邮箱', 'text', basic, {
    sensitive: SensitiveLevel.masked,
    rules: { maxLength: 100, regex: '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', regexMsg: '电子邮箱格式不正确' },
  }),
  item('contact', '紧急联系人', 'text', basic, { rules: { maxLength: 30 } }),
  item('contactPhone', '紧急联系电话', 'phone', basic, { sensitive: SensitiveLevel.masked }),

  item('education', '最高学历', 'select', schooling, { required: 1, dictCode: 'education' }),
  item('degree', '最高学位', 'select', schooling, { required: 1, dictCode: 'degree' }),
  item('school', '毕业院校', 'school', schooling, { required: 1, rules: { maxLength: 100 } }),
  item('major', '所学专业', 'text', schooling, { required: 1, rules: { maxLength: 50 } }),
  item('graduateDate', '毕业时间', 'month', schooling, { required: 1 }),
  item('freshGraduate', '是否应届毕业生', 'radio', schooling, { required: 1, dictCode: 'yes_no' }),
  item('studies', '学习经历', 'table', schooling, {
    required: 1,
    span: 24,
    columns: studies,
    rules: { min: 1, max: 10 },
  }),

  item('workStart', '参加工作时间', 'month', working, { showWhen: { freshGraduate: ['0'] } }),
  item('workUnit', '现工作单位', 'text', working, { rules: { maxLength: 100 }, showWhen: { freshGraduate: ['0'] } }),
  item('jobs', '工作经历', 'table', working, {
    span: 24,
    columns: jobs,
    rules: { max: 20 },
    showWhen: { freshGraduate: ['0'] },
  }),

  item('title', '专业技术职称', 'select', qualification, { dictCode: 'title_level' }),
  item('certificates', '执业（职业）资格证书', 'longText', qualification, { span: 24, rules: { maxLength: 500 } }),
  item('certificateNo', '资格证书编号', 'text', qualification, {
    sensitive: SensitiveLevel.masked,
    rules: { maxLength: 60 },
  }),

  item('relatives', '家庭主要成员', 'table', family, {
    span: 24,
    columns: relatives,
    rules: { max: 10 },
    sensitive: SensitiveLevel.masked,
  }),
  item('hobbies', '特长', 'text', '9', { span: 24, rules: { maxLength: 200 } }),
  item('awards', '奖惩情况', 'longText', '9', { span: 24, rules: { maxLength: 1000 } }),
]
