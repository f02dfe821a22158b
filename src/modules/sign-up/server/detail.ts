import { mask } from '#engine'
import type { Dicts } from '../../../engine/form-field.ts'
import type { Caller, SignupRow } from '../../../platform/access/server/caller.ts'
import { groupsOf, visibleItems } from '../../exams/rules/sign-form.ts'
import type { Content } from '../../exams/rules/sign-item.ts'
import { optionText, showValue } from '../../exams/rules/sign-text.ts'
import { type ExamForm, findExam, loadForm, wordingDicts } from '../../exams/server/candidate/exam-form.ts'
import { latestAdvisement } from './edit-scope.ts'
import { mySignupView } from './exam-page.ts'
import { historyOf } from './history.ts'
import { postNames } from './my-list.ts'
import { readTicketState } from './ticket-state.ts'

/** A filled form by group, values and words. */
export function filledGroups(form: ExamForm, row: SignupRow, dicts: Dicts) {
  const content = row.content as Content
  const items = visibleItems(form.items, content, row.type)
  return groupsOf(items, dicts.item_group).map(({ name, label, codes }) => ({
    name,
    label,
    items: items
      .filter(item => codes.includes(item.itemCode))
      .map(item => ({
        code: item.itemCode,
        label: item.itemName,
        inputType: item.inputType,
        value: content[item.itemCode] ?? '',
        text: showValue(item, content[item.itemCode], dicts),
      })),
  }))
}

/**
 * Everything of one sign-up. The caller has made sure that it may be seen.
 * @param whole true shows ID and phone numbers in full: for the person they belong to
 */
export async function detailOf(caller: Caller, row: SignupRow, whole: boolean) {
  const { db, vault } = caller
  const [exam, form, advisement, ticketState, names] = await Promise.all([
    findExam(db, row.examId),
    loadForm(db, row.examId),
    latestAdvisement(db, row.id),
    readTicketState(db, row.id),
    postNames(db, [row]),
  ])
  const dicts = await wordingDicts(db, form.items, row.content as Content)
  const idCard = row.idCard ? vault.open(row.idCard) : ''
  const phone = row.phone ? vault.open(row.phone) : ''
  const unitName = (unit: string | null) => optionText(dicts.recruit_unit, unit)
  return {
    ...mySignupView(caller, { ...row, ticketState }, advisement),
    examId: row.examId,
    examName: exam.examName,
    name: row.name,
    sex: row.sex,
    birthday: row.birthday,
    idCard: whole ? idCard : mask.idCard(idCard),
    phone: whole ? phone : mask.phone(phone),
    unitName: unitName(row.unit),
    typeName: optionText(dicts.post_type, row.type),
    postName: names(row.examId, row.code),
    unit2Name: unitName(row.unit2),
    post2Name: names(row.examId, row.code2 ?? ''),
    finalUnit: row.finalUnit,
    finalType: row.finalType,
    finalCode: row.finalCode,
    cancelReason: row.cancelReason,
    groups: filledGroups(form, row, dicts),
    logs: await historyOf(db, [row.id], !whole),
  }
}
