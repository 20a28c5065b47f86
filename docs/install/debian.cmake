# What a Debian package has otherwise than an installed folder: pages and changes are compressed, the licence is called copyright, there are
# Debian's own changes, and no module file. CPack runs it on the files of the package.
if(CPACK_GENERATOR STREQUAL "DEB")
    set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
    set(doc ${share}/doc/heddle)
    set(maintainer ${CPACK_DEBIAN_PACKAGE_MAINTAINER})
    if(NOT maintainer)
        set(maintainer ${CPACK_PACKAGE_CONTACT})
    endif()
    string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
    file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
    file(RENAME ${doc}/LICENSE ${doc}/copyright)
    file(WRITE ${doc}/changelog.Debian "heddle (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
        "  * Built by CPack; what is new: changelog.gz\n\n -- ${maintainer}  ${now}\n")
    file(REMOVE_RECURSE ${share}/heddle/modulefiles)
    file(GLOB pages ${share}/man/man1/*.1)
    execute_process(COMMAND gzip -9n ${pages} ${doc}/changelog ${doc}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
endif()
