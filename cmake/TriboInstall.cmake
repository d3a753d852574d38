# cmake --install: headers, libraries, the tool and an exported package (find_package(tribo)).
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY TRIBO_LAYERS)
install(TARGETS ${layers} EXPORT triboTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tribo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/tribo FILES_MATCHING PATTERN "*.xml")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/robots DESTINATION ${CMAKE_INSTALL_DATADIR}/tribo/data)
install(EXPORT triboTargets NAMESPACE tribo:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tribo)
if(TARGET tribo_cli)
  install(TARGETS tribo_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/triboConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/triboConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tribo)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/triboConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/triboConfig.cmake ${PROJECT_BINARY_DIR}/triboConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tribo)
