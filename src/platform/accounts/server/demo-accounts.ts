/** Staff of the demonstration: account, name, roles, what it is for. Every role that staff can have is there. */
export const demoStaff = [
  ['jigou', '机构管理员', 'admin', '机构管理员'],
  ['kaowu', '考务老师', 'exam_admin', '考务管理员'],
  ['chushen', '初审老师', 'reviewer', '初审员'],
  ['fushen', '复审老师', 'reviewer,rechecker', '复审员'],
  ['caiwu', '财务老师', 'finance', '财务'],
  ['jiankao', '监考老师', 'proctor', '监考'],
  ['yunying', '运营专员', 'operator', '平台运营'],
  ['shenji', '审计专员', 'auditor', '审计员'],
] as const
