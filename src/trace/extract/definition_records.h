/* src/trace/extract/definition_records.h: the fields of all records of global definitions that OTF2 3 has, but for
 * those of locations.
 *
 * HD_DEFINITION_<kind>(F) is F(type, name) for each field, in the order in which OTF2 hands them over;
 * HD_DEFINITION_RECORDS(X) is X(kind) for each. Of extract_definitions.c only.
 */
#ifndef HD_DEFINITION_RECORDS_H
#define HD_DEFINITION_RECORDS_H

#define HD_DEFINITION_ClockProperties(F) F(uint64_t, timer_resolution) F(uint64_t, global_offset) \
    F(uint64_t, trace_length) F(uint64_t, realtime_timestamp)
#define HD_DEFINITION_Paradigm(F) F(OTF2_Paradigm, paradigm) F(OTF2_StringRef, name) \
    F(OTF2_ParadigmClass, paradigm_class)
#define HD_DEFINITION_ParadigmProperty(F) F(OTF2_Paradigm, paradigm) F(OTF2_ParadigmProperty, property) \
    F(OTF2_Type, type) F(OTF2_AttributeValue, value)
#define HD_DEFINITION_IoParadigm(F) F(OTF2_IoParadigmRef, self) F(OTF2_StringRef, identification) \
    F(OTF2_StringRef, name) F(OTF2_IoParadigmClass, io_paradigm_class) F(OTF2_IoParadigmFlag, io_paradigm_flags) \
    F(uint8_t, n_properties) F(const OTF2_IoParadigmProperty *, properties) F(const OTF2_Type *, types) \
    F(const OTF2_AttributeValue *, values)
#define HD_DEFINITION_String(F) F(OTF2_StringRef, self) F(const char *, string)
#define HD_DEFINITION_Attribute(F) F(OTF2_AttributeRef, self) F(OTF2_StringRef, name) F(OTF2_StringRef, description) \
    F(OTF2_Type, type)
#define HD_DEFINITION_SystemTreeNode(F) F(OTF2_SystemTreeNodeRef, self) F(OTF2_StringRef, name) \
    F(OTF2_StringRef, class_name) F(OTF2_SystemTreeNodeRef, parent)
#define HD_DEFINITION_LocationGroup(F) F(OTF2_LocationGroupRef, self) F(OTF2_StringRef, name) \
    F(OTF2_LocationGroupType, location_group_type) F(OTF2_SystemTreeNodeRef, system_tree_parent) \
    F(OTF2_LocationGroupRef, creating_location_group)
#define HD_DEFINITION_Region(F) F(OTF2_RegionRef, self) F(OTF2_StringRef, name) F(OTF2_StringRef, canonical_name) \
    F(OTF2_StringRef, description) F(OTF2_RegionRole, region_role) F(OTF2_Paradigm, paradigm) \
    F(OTF2_RegionFlag, region_flags) F(OTF2_StringRef, source_file) F(uint32_t, begin_line_number) \
    F(uint32_t, end_line_number)
#define HD_DEFINITION_Callsite(F) F(OTF2_CallsiteRef, self) F(OTF2_StringRef, source_file) F(uint32_t, line_number) \
    F(OTF2_RegionRef, entered_region) F(OTF2_RegionRef, left_region)
#define HD_DEFINITION_Callpath(F) F(OTF2_CallpathRef, self) F(OTF2_CallpathRef, parent) F(OTF2_RegionRef, region)
#define HD_DEFINITION_Group(F) F(OTF2_GroupRef, self) F(OTF2_StringRef, name) F(OTF2_GroupType, group_type) \
    F(OTF2_Paradigm, paradigm) F(OTF2_GroupFlag, group_flags) F(uint32_t, n_members) F(const uint64_t *, members)
#define HD_DEFINITION_MetricMember(F) F(OTF2_MetricMemberRef, self) F(OTF2_StringRef, name) \
    F(OTF2_StringRef, description) F(OTF2_MetricType, metric_type) F(OTF2_MetricMode, metric_mode) \
    F(OTF2_Type, value_type) F(OTF2_Base, base) F(int64_t, exponent) F(OTF2_StringRef, unit)
#define HD_DEFINITION_MetricClass(F) F(OTF2_MetricRef, self) F(uint8_t, n_metrics) \
    F(const OTF2_MetricMemberRef *, metric_members) F(OTF2_MetricOccurrence, metric_occurrence) \
    F(OTF2_RecorderKind, recorder_kind)
#define HD_DEFINITION_MetricInstance(F) F(OTF2_MetricRef, self) F(OTF2_MetricRef, metric_class) \
    F(OTF2_LocationRef, recorder) F(OTF2_MetricScope, metric_scope) F(uint64_t, scope)
#define HD_DEFINITION_Comm(F) F(OTF2_CommRef, self) F(OTF2_StringRef, name) F(OTF2_GroupRef, group) \
    F(OTF2_CommRef, parent) F(OTF2_CommFlag, flags)
#define HD_DEFINITION_Parameter(F) F(OTF2_ParameterRef, self) F(OTF2_StringRef, name) \
    F(OTF2_ParameterType, parameter_type)
#define HD_DEFINITION_RmaWin(F) F(OTF2_RmaWinRef, self) F(OTF2_StringRef, name) F(OTF2_CommRef, comm) \
    F(OTF2_RmaWinFlag, flags)
#define HD_DEFINITION_MetricClassRecorder(F) F(OTF2_MetricRef, metric) F(OTF2_LocationRef, recorder)
#define HD_DEFINITION_SystemTreeNodeProperty(F) F(OTF2_SystemTreeNodeRef, system_tree_node) F(OTF2_StringRef, name) \
    F(OTF2_Type, type) F(OTF2_AttributeValue, value)
#define HD_DEFINITION_SystemTreeNodeDomain(F) F(OTF2_SystemTreeNodeRef, system_tree_node) \
    F(OTF2_SystemTreeDomain, system_tree_domain)
#define HD_DEFINITION_LocationGroupProperty(F) F(OTF2_LocationGroupRef, location_group) F(OTF2_StringRef, name) \
    F(OTF2_Type, type) F(OTF2_AttributeValue, value)
#define HD_DEFINITION_LocationProperty(F) F(OTF2_LocationRef, location) F(OTF2_StringRef, name) F(OTF2_Type, type) \
    F(OTF2_AttributeValue, value)
#define HD_DEFINITION_CartDimension(F) F(OTF2_CartDimensionRef, self) F(OTF2_StringRef, name) F(uint32_t, size) \
    F(OTF2_CartPeriodicity, cart_periodicity)
#define HD_DEFINITION_CartTopology(F) F(OTF2_CartTopologyRef, self) F(OTF2_StringRef, name) \
    F(OTF2_CommRef, communicator) F(uint8_t, n_dimensions) F(const OTF2_CartDimensionRef *, cart_dimensions)
#define HD_DEFINITION_CartCoordinate(F) F(OTF2_CartTopologyRef, cart_topology) F(uint32_t, rank) \
    F(uint8_t, n_dimensions) F(const uint32_t *, coordinates)
#define HD_DEFINITION_SourceCodeLocation(F) F(OTF2_SourceCodeLocationRef, self) F(OTF2_StringRef, file) \
    F(uint32_t, line_number)
#define HD_DEFINITION_CallingContext(F) F(OTF2_CallingContextRef, self) F(OTF2_RegionRef, region) \
    F(OTF2_SourceCodeLocationRef, source_code_location) F(OTF2_CallingContextRef, parent)
#define HD_DEFINITION_CallingContextProperty(F) F(OTF2_CallingContextRef, context) F(OTF2_StringRef, name) \
    F(OTF2_Type, type) F(OTF2_AttributeValue, value)
#define HD_DEFINITION_InterruptGenerator(F) F(OTF2_InterruptGeneratorRef, self) F(OTF2_StringRef, name) \
    F(OTF2_InterruptGeneratorMode, interrupt_generator_mode) F(OTF2_Base, base) F(int64_t, exponent) \
    F(uint64_t, analysis_interval)
#define HD_DEFINITION_IoFileProperty(F) F(OTF2_IoFileRef, io_file) F(OTF2_StringRef, name) F(OTF2_Type, type) \
    F(OTF2_AttributeValue, value)
#define HD_DEFINITION_IoRegularFile(F) F(OTF2_IoFileRef, self) F(OTF2_StringRef, name) \
    F(OTF2_SystemTreeNodeRef, scope)
#define HD_DEFINITION_IoDirectory(F) F(OTF2_IoFileRef, self) F(OTF2_StringRef, name) F(OTF2_SystemTreeNodeRef, scope)
#define HD_DEFINITION_IoHandle(F) F(OTF2_IoHandleRef, self) F(OTF2_StringRef, name) F(OTF2_IoFileRef, file) \
    F(OTF2_IoParadigmRef, io_paradigm) F(OTF2_IoHandleFlag, io_handle_flags) F(OTF2_CommRef, comm) \
    F(OTF2_IoHandleRef, parent)
#define HD_DEFINITION_IoPreCreatedHandleState(F) F(OTF2_IoHandleRef, io_handle) F(OTF2_IoAccessMode, mode) \
    F(OTF2_IoStatusFlag, status_flags)
#define HD_DEFINITION_CallpathParameter(F) F(OTF2_CallpathRef, callpath) F(OTF2_ParameterRef, parameter) \
    F(OTF2_Type, type) F(OTF2_AttributeValue, value)
#define HD_DEFINITION_InterComm(F) F(OTF2_CommRef, self) F(OTF2_StringRef, name) F(OTF2_GroupRef, group_a) \
    F(OTF2_GroupRef, group_b) F(OTF2_CommRef, common_communicator) F(OTF2_CommFlag, flags)

#define HD_DEFINITION_RECORDS(X) \
    X(ClockProperties) X(Paradigm) X(ParadigmProperty) X(IoParadigm) X(String) X(Attribute) X(SystemTreeNode) \
    X(LocationGroup) X(Region) X(Callsite) X(Callpath) X(Group) X(MetricMember) X(MetricClass) X(MetricInstance) \
    X(Comm) X(Parameter) X(RmaWin) X(MetricClassRecorder) X(SystemTreeNodeProperty) X(SystemTreeNodeDomain) \
    X(LocationGroupProperty) X(LocationProperty) X(CartDimension) X(CartTopology) X(CartCoordinate) \
    X(SourceCodeLocation) X(CallingContext) X(CallingContextProperty) X(InterruptGenerator) X(IoFileProperty) \
    X(IoRegularFile) X(IoDirectory) X(IoHandle) X(IoPreCreatedHandleState) X(CallpathParameter) X(InterComm)

#endif
